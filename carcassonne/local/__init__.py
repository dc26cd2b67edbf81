"""What `make run` needs where there is no server: a broker, a worker, a mailbox, a manager of processes."""
