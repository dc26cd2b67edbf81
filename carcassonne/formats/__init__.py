"""Date formats, a module for each language, over Django's own. Days come before months and hours count to 24
everywhere; SHORT_DATETIME_FORMAT is for deadlines and talk, where the year is clear."""

from django.utils.translation import ngettext_lazy

SPANS = (
    ngettext_lazy("%(num)d year", "%(num)d years", "num"),
    ngettext_lazy("%(num)d month", "%(num)d months", "num"),
    ngettext_lazy("%(num)d week", "%(num)d weeks", "num"),
    ngettext_lazy("%(num)d day", "%(num)d days", "num"),
    ngettext_lazy("%(num)d hour", "%(num)d hours", "num"),
    ngettext_lazy("%(num)d minute", "%(num)d minutes", "num"),
)
"""Units of the time left on a clock, in Django's words, which it doesn't translate into Icelandic."""
