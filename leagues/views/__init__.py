"""Who, form, service, answer."""
