"""The pages: who asks, which form, which service, what answer."""
