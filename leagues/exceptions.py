"""What is refused in leagues, in words for players."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

SENTENCES = {
    "may_not_found": _("You may not found leagues yet. Ask the people who run this site."),
    "settings": _("There can't be such a league: {what}."),
    "name_taken": _("There is a league with this name already."),
    "not_organiser": _("Only the organisers of this league may do that."),
    "own_game": _("You play in this game yourself: another organiser has to settle it."),
    "not_open": _("Registration for this season is closed."),
    "not_registered": _("You are not registered for this season."),
    "over": _("This season is over."),
    "bot": _("Only people play in leagues."),
    "not_settled": _("This game goes on: it can only be settled when it is over."),
    "ranks": _("Give each player a rank: the first is 1, and equal ranks are shared."),
    "reason": _("Say why: everybody can read it."),
}


class LeagueRefused(Exception):
    """Something that a league does not let happen; it has changed nothing."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    @property
    def message(self) -> str:
        return str(SENTENCES[self.code]).format(**self.params)

    def __str__(self) -> str:
        return self.message
