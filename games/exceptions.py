"""Refusals of services, by code; their sentences are translated when they are shown.

Refusals of the rules are ``rules.IllegalAction``, and are worded by ``games.words``.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from core.lost_choices import LostChoice
from games.words.times import format_when

if TYPE_CHECKING:
    from games.models import Game

SENTENCES = {
    # playing
    "stale_turn": _("The game has moved on since you opened this page. Here is the board as it is now."),
    "not_your_turn": _("It is not your turn."),
    "game_over": _("This game is over."),
    "rules_lost": _("This game has rules that the site no longer knows, so it can't be played or shown."),
    "not_begun": _("This game hasn't started yet."),
    "out_of_time": _("Your time for this turn had run out when it arrived."),
    # seats that seek a substitute, and time that has run out
    "not_offered": _("This seat no longer needs a substitute."),
    "seat_lost": _("You lost this seat when your time ran out, and it isn't held for you."),
    "caretaker_plays": _("The house bot is playing a turn for this seat right now. Try again in a moment."),
    "sat_here": _("You already had a seat in this game."),
    "may_not_take_over": _("You can't take over a seat in this game."),
    "time_is_over": _("This game's time is up."),
    "nothing_to_claim": _("You can't claim the win: your opponent still has time, or has already played."),
    "nobody_to_give_to": _("There is no one to give time to."),
    "days_given": _("You can give one to seven days."),
    "given_already": _("Time has already been given for this turn."),
    # offers
    "offered_already": _("This has already been proposed."),
    "too_many_offers": _("You've made a lot of proposals in this game today. Please wait until tomorrow."),
    "offer_gone": _("This proposal is no longer open."),
    "pause_dates": _("A pause lasts from an hour to sixty days. Choose another day."),
    "paused_already": _("The game is already paused."),
    "not_paused": _("The game is not paused."),
    "too_late_to_undo": _("It's too late to undo this turn on your own. You can ask the other players."),
    "not_yours_to_undo": _("This turn is not yours."),
    "nothing_to_undo": _("You have no turn to undo."),
    "too_late_to_abort": _(
        "Someone has already played a second turn, so you can only propose to end the game."
    ),
    # moderators
    "held": _("A moderator has stopped this game for now. Nobody can play, and nobody loses time."),
    "may_not_moderate": _("You can't moderate this game."),
    "say_why": _("Give a reason: the players will read it."),
    "reason_too_long": _("Keep the reason within 500 characters."),
    "held_already": _("The game is already stopped."),
    "not_held": _("The game is not stopped."),
    "hold_dates": _("Choose an end within a year from now."),
    "extend_days": _("You can give one to thirty days."),
    "nothing_running": _("This game is over. Roll it back to let it go on."),
    "no_ply_to_roll_back_to": _("There is no such turn to roll back to."),
    "nobody_plays_on": _(
        "Fewer than two players would be left: the others have resigned or closed their accounts."
    ),
    "draw_shown": _(
        "Other games with the same tiles are over, so its players may know what comes next. It can't go on."
    ),
    "ranks": _("Give every seat a rank: 1 is first, and seats that tie get the same number."),
    "scores": _("Points are whole numbers from 0 to 9999."),
    "not_decided": _("No moderator has ended this game."),
    "not_rated": _("The game is unrated."),
    "rated_already": _("No moderator has made this game unrated."),
    "not_a_person_there": _("There is no player in that seat."),
    "signal_moved_on": _("This signal was found again since you opened this page. Here it is as it is now."),
    "settled_already": _("Someone has already settled this."),
    "not_replaced": _("No moderator has replaced this seat, or it has changed since."),
    "may_not_replace": _("This player can't take the seat."),
    # tables
    "account_closed": _("This account is currently inactive."),
    "not_open": _("This table is no longer open."),
    "table_full": _("All seats at this table are taken or reserved."),
    "private_table": _("This table is private: you need an invitation to sit down."),
    "guest_not_invited": _("Guests need an invitation. To join other tables, create an account."),
    "guest_in_rated": _("This game is rated, so you need an account to sit down."),
    "guest_known": _("This address belongs to someone who plays here already. Sign in, then accept."),
    "guest_barred": _("This address can't be used here right now."),
    "colour": _("That colour doesn't exist."),
    "colour_taken": _("That colour is taken. Choose another."),
    "not_seated": _("You're not at this table."),
    "host_cancels": _("This is your table: you can't leave it, but you can cancel it."),
    "not_host": _("Only the player who set up the table can do this."),
    "bots": _("At least one seat must be for a person, and no more bots than seats."),
    "rated_with_bot": _("Games with a bot can't be rated."),
    "rated_house_rules": _("Games with house rules can't be rated."),
    "clock": _("A table can't use this clock."),
    "endless": _(
        "With these settings the game might never end. Let weekends or holidays count, or "
        "choose a hard end, less time or fewer seats."
    ),
    "ends_too_soon": _("A game needs at least a day: choose a later end."),
    "reliability": _("Reliability is a number from 0 to 100."),
    "rating_range": _("Ratings go from 0 to 4000, and the maximum can't be below the minimum."),
    "text": "{what}",  # of the gate for texts, in the reader's language already
    "name_too_long": _("The table's name is too long."),
    "name_link": _("A table's name can't contain links or website names."),
    "too_many_tables": _("Many of your tables are already waiting for players. Close some of them first."),
    "too_many_tables_today": _("You've set up a lot of tables today. Please wait until tomorrow."),
    "too_many_rematches": _("This game has had several rematch requests today. Please wait until tomorrow."),
    "too_many_bot_games": _("You have a lot of unfinished games with the house bot. Finish some first."),
    "bot_games_fast": _("You've started a lot of games with the house bot lately. Please wait an hour."),
    "too_many_seats_held": _(
        "You're at a lot of tables that haven't started. Leave one of them first, or wait."
    ),
    "removed_lately": _("The host has removed you from this table. You can't sit down there again today."),
    "not_a_guest": _("There is no guest in that seat."),
    "not_ended": _("You can ask for a rematch when the game is over."),
    # invitations
    "no_invitation": _("This invitation is no longer open."),
    "not_yours": _("This invitation is for somebody else."),
    "seated_already": _("This player is already at the table."),
    "invited_already": _("This player has already been invited."),
    "nobody_invited": _("Enter a player's name or an email address to invite."),
    "too_many_invitations": _("That's a lot of invitations for one day. Please wait until tomorrow."),
    "too_many_addresses": _(
        "That's a lot of email invitations for one day. Invite players by name, share the link to the "
        "table, or wait until tomorrow."
    ),
    "invited_often": _("You've already invited them several times today. Please wait until tomorrow."),
    "address_unanswered": _(
        "Your last invitation to this address hasn't been answered yet. You can send another "
        "one two weeks after it; until then, share the link to the table."
    ),
    "unconfirmed": _("Confirm your email address first. Until then you can't invite or write to others."),
    "declined_lately": _(
        "They turned down an invitation less than a week ago. You can ask again a week after that."
    ),
    "much_invited": _("They've had a lot of invitations today. Please try again tomorrow."),
    "too_much_today": _("You've done this a lot today. Please wait until tomorrow."),
    "too_much_for_them": _("They've had a lot of emails like this today. Please try again tomorrow."),
    "nudged_today": _("They've already been nudged today. You can nudge them again tomorrow."),
    "nothing_to_nudge": _("You can nudge players after they've had a day for their turn."),
    "challenged_often": _("You've challenged them twice this week. Please wait a few days."),
    "much_challenged": _("They've had a lot of challenges today. Please try again tomorrow."),
    "announced_lately": _("This league had an announcement in the last four hours. Please wait a while."),
    "changed_often": _("This league's season changed several times today. Please wait until tomorrow."),
    "greeting_too_long": _("Your message is too long for an invitation."),
    "greeting_link": _("Your message can't contain links."),
    # talk
    "nothing_said": _("Write something first."),
    "may_not_talk": _("Only the players of this game can talk at its table."),
    "may_not_comment": _("This chat is for spectators only."),
    "talking_fast": _("That's a lot of messages at once. Please wait a minute."),
    "talking_much": _("You've posted a lot in the last hour. Please wait a while."),
    "not_your_message": _("You didn't write this message."),
    "too_late_to_delete": _("It's too late to delete this message."),
    # reports
    "report_self": _("You can't report yourself."),
    "report_bot": _("Programs can't be reported."),
    "report_closed": _("This account is closed."),
    "may_not_report": _("You can't report this."),
    "report_says_nothing": _("Describe it in a few words."),
    "reported_already": _("You've already reported this, and there is no room to add to it."),
    "too_many_reports": _("That's a lot of reports for one day. Please wait until tomorrow."),
    "may_not_decide": _("Other moderators have to decide this."),
    "incident_moved_on": _("This incident has changed since you opened this page. Here it is as it is now."),
    "which_reports": _("Choose which of the reports are upheld."),
    "incident_open_anew": _("This has been reported again: decide that incident instead."),
    "remark_missing": _("Give a reason: other moderators will read it."),
    # plans
    "awaited_already": _("The game is waiting for you: play your turn on the board."),
    "nothing_to_plan": _("You have no more turns to plan."),
    "plan_not_legal": _("This can't be planned: the rules don't allow it on the board as it is now."),
    "plan_after_taken": _(
        "There is already a tile there. Choose an empty space for the other player's tile."
    ),
    "too_many_plans": _("That's a lot of plans for one turn. Remove some of them first."),
    # following
    "may_not_follow": _("This can't be followed."),
    "too_many_followed": _("You already follow a lot. Unfollow some of them first."),
    # notifications
    "push_service_unknown": _("This browser's push service isn't one that we know, so we can't send to it."),
    "push_keys": _("This browser gave us keys that don't work. Reload the page and try again."),
    "too_many_devices": _("You've switched on notifications on too many devices. Switch one off first."),
    "tested_just_now": _("We've just sent a test to this device. Please wait a minute."),
    # webhooks
    "too_many_webhooks": _("You have as many webhooks as you can have. Remove one of them first."),
    "webhook_known": _("You've already added this webhook."),
    # blocking
    "may_not_block": _("This player can't be blocked."),
    "too_many_blocked": _("You've already blocked a lot of players. Unblock some of them first."),
    "may_not_sit_here": _("You can't sit down at this table."),
    "may_not_invite": _("You can't invite this player."),
    "no_rematch": _("These players can't be seated together again."),
    "rematch_alone": _("There's no rematch: no opponent has an account any more."),
    # holidays
    "holiday_past": _("A holiday can't start in the past."),
    "holiday_short": _("A holiday lasts at least a day."),
    "holiday_twice": _("You already have a holiday then."),
    "holiday_long": _("A holiday lasts at most 21 days, counting any right before or after it."),
    "holiday_used_up": _("You don't have that many days of holiday left."),
    "no_holiday": _("There is no such holiday."),
    "holiday_over": _("This holiday is over."),
    "holiday_nearly_over": _(
        "This holiday can't get any shorter: it lasts at least a day, and at least twelve hours from now."
    ),
    "emergency_days": _("An emergency pause lasts one day at least and 14 at most."),
    "emergency_again": _("You can stop all your games once every 180 days."),
    "nothing_to_stop": _("You have no games to stop."),
    "no_emergency": _("Your games are not stopped."),
    # warnings, mutes, suspensions
    "may_not_sanction": _("You can't do anything about this account."),
    "sanction_reason": _("Say why, for the log of moderators, in 500 characters at most."),
    "sanction_words": _("Choose a text, or write one for the player."),
    "sanction_words_too_long": _("Keep your text within 1000 characters."),
    "sanction_ends": _("Choose an end between an hour and a year from now."),
    "template_name": _("Give the text a short name: small letters, digits and hyphens."),
    "template_text": _("Give each language both a title and a text, or neither."),
    "template_changed": _("Someone has changed this text in the meantime. Here is the current version."),
    "may_not_note": _("You can't write notes about this account."),
    "moderator_note": _("Write something, but no more than {n} characters."),
    "renamed_since": _("Someone has changed this name in the meantime. Here is the current one."),
    "same_name": _("Choose another name."),
    "sanction_over": _("This is over."),
    "person_moved_on": _("Something has been done about this player since you opened this page. Look again."),
    "no_such_case": _("This report isn't about this player, or it was decided more than a month ago."),
    "warning_in_force": _("{who} has warned this player already, and the warning hasn't been read yet."),
    "mute_in_force": _("{who} has muted this player already, until {until}."),
    "suspension_in_force": _("{who} has suspended this player already, until {until}."),
    "not_longer": _("It already lasts until {until}. Choose a later end."),
    "lifted_already": _("{who} has lifted this already."),
    "no_sanction": _("There's nothing like that here."),
    "not_shorter": _("Choose an end in the future, but before the current one."),
    "appeal_own": _("The moderator who did this can't answer the appeal: another one has to."),
    "appeal_answered": _("This appeal has already been answered."),
    "appeal_words": _("Write something, but not more than fits."),
    "appeal_too_late": _("You can appeal once, within 30 days, unless it has been lifted."),
    # notes
    "note_changed": _("You've changed this note in another window. That version is below yours."),
    "no_such_ply": _("This game has no such turn."),
}


RESTRICTED = {
    "unread_warning": _(
        "A moderator has sent you a warning: “{warning}” Confirm that you've read it, and you "
        "can go on: {address}"
    ),
    "muted": _("You can't write anything until {until}. Why, and how to appeal: {address}"),
    "suspended": _("Your account is suspended until {until}. Why, and how to appeal: {address}"),
}
"""Refusals because of a warning, mute or suspension; the page at the address tells the reason."""


class Refused(Exception):
    """A refusal by a service, which has changed nothing. *code* is the reason, ``message`` a sentence."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    @property
    def message(self) -> str:
        if self.code == "note_too_long":
            return ngettext(
                "A note can have at most {n} character.",
                "A note can have at most {n} characters.",
                self.params["n"],
            ).format(**self.params)
        if self.code == "talk_too_long":
            return ngettext(
                "A message can have at most {n} character.",
                "A message can have at most {n} characters.",
                self.params["n"],
            ).format(**self.params)
        if self.code == "report_too_long":
            return ngettext("{n} character at most.", "{n} characters at most.", self.params["n"]).format(
                **self.params
            )
        if self.code == "reliability_low":
            sentence = _("This table asks for a reliability of at least {asked}%; yours is {yours}%.")
            return str(sentence).format(**self.params)
        if self.code == "rating_outside":
            return self._rating_outside()
        until: datetime | None = self.params.get("until")
        params = {**self.params, "until": format_when(until) if until else ""}
        return str(RESTRICTED.get(self.code) or SENTENCES[self.code]).format(**params)

    def _rating_outside(self) -> str:
        if self.params["most"] is None:
            sentence = _("This table is for ratings from {least}; yours is {yours}.")
        elif self.params["least"] is None:
            sentence = _("This table is for ratings up to {most}; yours is {yours}.")
        else:
            sentence = _("This table is for ratings {least} to {most}; yours is {yours}.")
        return str(sentence).format(**self.params)

    def __str__(self) -> str:
        return self.message


class TooMany(Refused):
    """An exceeded limit of one person (``games/conduct/limits.py``); in HTTP, status 429."""


class StaleTurn(Refused):
    """Refusal because the game has moved on since the page was shown. ``game`` is as it stands now."""

    def __init__(self, game: Game) -> None:
        super().__init__("stale_turn")
        self.game = game


class NotYourTurn(Refused):
    def __init__(self) -> None:
        super().__init__("not_your_turn")


class RulesLost(Refused, LostChoice):
    """Refusal because the game has rules that this release doesn't know."""

    def __init__(self) -> None:
        super().__init__("rules_lost")


class GameOver(Refused):
    def __init__(self) -> None:
        super().__init__("game_over")


class OutOfTime(Refused):
    def __init__(self) -> None:
        super().__init__("out_of_time")
