"""Parts of `make run` for a machine without servers: a broker, a worker, a mailbox, a process manager."""
