"""Mail that comes in: taken by a receiver, kept in the inbox, and answered from there (``docs/mail.md``).

``games/inbox`` says what a message asks for, from its bytes alone; here it is checked whether whoever wrote
it may ask for that, and done.
"""
