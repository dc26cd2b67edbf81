"""Views of leagues: who asks, form, service, answer."""
