"""Texts of allauth and Django that players see, for our translation catalogues.

Allauth has no Icelandic; Django capitalises weekdays even in languages that don't.
"""

from django.utils.translation import gettext_noop

FORMS = (
    gettext_noop("Code"),
    gettext_noop("Current Password"),
    gettext_noop("Forgot your password?"),
    gettext_noop("New Password"),
    gettext_noop("New Password (again)"),
)
REFUSALS = (
    gettext_noop("A user is already registered with this email address."),
    gettext_noop("Be patient, you are sending too many requests."),
    gettext_noop("Incorrect code."),
    gettext_noop("Incorrect password."),
    gettext_noop("Please type your current password."),
    gettext_noop("The email address and/or password you specified are not correct."),
    gettext_noop("The new value must be different from the current one."),
    gettext_noop("This account is currently inactive."),
    gettext_noop("This email address is already associated with this account."),
    gettext_noop("Too many failed login attempts. Try again later."),
    gettext_noop("Username can not be used. Please use other username."),
    gettext_noop("You must type the same password each time."),
)
DAYS = (
    gettext_noop("Monday"),
    gettext_noop("Tuesday"),
    gettext_noop("Wednesday"),
    gettext_noop("Thursday"),
    gettext_noop("Friday"),
    gettext_noop("Saturday"),
    gettext_noop("Sunday"),
    gettext_noop("Mon"),
    gettext_noop("Tue"),
    gettext_noop("Wed"),
    gettext_noop("Thu"),
    gettext_noop("Fri"),
    gettext_noop("Sat"),
    gettext_noop("Sun"),
)
