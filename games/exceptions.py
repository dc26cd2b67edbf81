"""What services refuse, in codes; the sentences come in the reader's language when they are shown.

What the rules refuse is ``rules.IllegalAction`` and is worded by ``games.words``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

if TYPE_CHECKING:
    from games.models import Game

SENTENCES = {
    # playing
    "stale_turn": _("The game has moved on since you opened this page. Here is the board as it is now."),
    "not_your_turn": _("It is not your turn."),
    "game_over": _("This game is over."),
    "not_begun": _("This game has not begun yet."),
    "out_of_time": _("Your time for this turn had run out when it arrived."),
    # tables
    "account_closed": _("This account is currently inactive."),
    "not_open": _("This table is no longer open."),
    "table_full": _("All seats at this table are taken or kept for somebody."),
    "private_table": _("This table is private: only those who are invited can sit down."),
    "colour": _("There is no such colour."),
    "colour_taken": _("Somebody has this colour already. Choose another one."),
    "not_seated": _("You don't sit at this table."),
    "host_cancels": _("The table is yours: you can't leave it, but you can cancel it."),
    "not_host": _("Only the player who set up the table can do this."),
    "bots": _("At least one seat must be for a person, and no more bots than seats."),
    "rated_with_bot": _("Games with a bot can't be rated."),
    "rated_house_rules": _("Games with house rules can't be rated."),
    "clock": _("Choose one of the offered times per move."),
    "name_too_long": _("The table's name is too long."),
    "not_ended": _("You can ask for a rematch when the game is over."),
    # invitations
    "no_invitation": _("This invitation is no longer open."),
    "not_yours": _("This invitation is for somebody else."),
    "seated_already": _("This player sits at the table already."),
    "invited_already": _("This player is invited already."),
    "nobody_invited": _("Say whom to invite: a player's name or an e-mail address."),
    "too_many_invitations": _("These are many invitations for one day. Please wait until tomorrow."),
    "greeting_too_long": _("Your line is too long for an invitation."),
    "greeting_link": _("Your line may hold no links."),
    # talk
    "nothing_said": _("Write something first."),
    "may_not_talk": _("Only the players of this game can talk at its table."),
    "may_not_comment": _("Here the spectators talk among themselves."),
    "talking_fast": _("These are many messages at once. Please wait a minute."),
    # following
    "may_not_follow": _("This can't be followed."),
    "too_many_followed": _("You follow very many already. Leave some of them first."),
    # notes
    "note_changed": _("Another window has changed this note. What it kept stands below yours."),
    "no_such_ply": _("There is no such turn in this game."),
}


class Refused(Exception):
    """A service refuses and has changed nothing. *code* says why; ``message`` says it in words."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    @property
    def message(self) -> str:
        if self.code == "note_too_long":
            return ngettext(
                "A note may have at most {n} letter.",
                "A note may have at most {n} letters.",
                self.params["n"],
            ).format(**self.params)
        if self.code == "talk_too_long":
            return ngettext(
                "A message may have at most {n} letter.",
                "A message may have at most {n} letters.",
                self.params["n"],
            ).format(**self.params)
        return str(SENTENCES[self.code]).format(**self.params)

    def __str__(self) -> str:
        return self.message


class StaleTurn(Refused):
    """The game has moved on since the page was shown. ``game`` is as it stands now."""

    def __init__(self, game: Game) -> None:
        super().__init__("stale_turn")
        self.game = game


class NotYourTurn(Refused):
    def __init__(self) -> None:
        super().__init__("not_your_turn")


class GameOver(Refused):
    def __init__(self) -> None:
        super().__init__("game_over")


class OutOfTime(Refused):
    def __init__(self) -> None:
        super().__init__("out_of_time")
