"""What `make run` needs where there is no server: a broker, a mailbox, somebody who starts the processes."""
