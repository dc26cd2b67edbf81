"""What is refused in leagues, in words for players."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

SENTENCES = {
    "may_not_found": _("You may not found leagues yet. Ask the people who run this site."),
    "settings": _("There can't be such a league: {what}."),
    "name_taken": _("There is a league with this name already, or with one that looks like it."),
    "not_organiser": _("Only the organisers of this league may do that."),
    "own_game": _("You play in this game yourself: another organiser has to settle it."),
    "suspended": _("This account is suspended until {until}."),
    "not_open": _("Registration for this season is closed."),
    "not_registered": _("You are not registered for this season."),
    "over": _("This season is over."),
    "bot": _("Only people play in leagues."),
    "not_settled": _("This game goes on: it can only be settled when it is over."),
    "ranks": _("Give each player a rank: the first is 1, and equal ranks are shared."),
    "no_ladder": _("There are no challenges here."),
    "challenge_over": _("This season is over: no challenge begins any more."),
    "challenge_stranger": _("Only those on the ladder challenge each other."),
    "challenge_not_above": _("You can challenge those above you only."),
    "challenge_too_far": _("That is too far above you."),
    "challenge_busy": _("You are in a challenge already."),
    "challenge_protected": _("They are in a challenge already."),
    "challenge_rematch": _("You two have just played: rest a few days."),
    "teams_only": _("Teams play here: found one, or join one."),
    "no_teams": _("Everybody plays alone in this league."),
    "no_name": _("Choose a name."),
    "team_name_taken": _("There is a team with this name already, or with one that looks like it."),
    "not_captain": _("Only the captain of the team may do that."),
    "captain_stays": _("The captain can't be removed. Hand the team over first."),
    "in_team": _("You play for a team of this season already."),
    "team_full": _("This team is full."),
    "not_invited": _("You are not invited to this team, or the link holds no more."),
    "not_member": _("Only players of the team may do that."),
    "unknown_player": _("There is no player called {name}."),
    "may_not_invite": _("You can't invite this player."),
    "no_match": _("The team has no such match."),
    "line_up_closed": _("It is too late to change this line-up."),
    "line_up_number": _("Choose a player for each board."),
    "line_up_twice": _("Nobody can play at two boards."),
    "line_up_stranger": _("Only players of the team can be in its line-up."),
    "no_substitute": _("Nobody is to be replaced at this board any more."),
    "substitute_busy": _("Choose somebody of your team who is at no board in this round."),
    "reason": _("Say why: everybody can read it."),
    "no_game": _("There is no such game in this league."),
    "full": _("All places are taken. You can wait for one."),
    "no_substitutes": _(
        "In a knock-out and on a ladder nobody plays on for somebody else; in teams their captains see to it."
    ),
    "next_drawn": _("Others meet because of this result: it can't be changed any more."),
    "not_played": _("This game was not played to its end: say who stands where."),
    "no_player": _("There is no player of this name who could do that."),
    "plays_already": _("{player} plays in this season, or has left it."),
    "not_playing": _("{player} does not play in this season."),
    "replaced_already": _("Somebody plays for {player} already."),
    "late_not_allowed": _("It is too late to join this season. You can wait for the next one."),
    "late_tables": _(
        "At tables of three and more nobody can join a season that runs: wait for the next one."
    ),
    "late_schedule": _("Nobody can join a season of this kind while it runs: wait for the next one."),
    "late_full": _("All divisions are full. You can wait for a place."),
    "late_rounds": _("All rounds of this season are drawn: wait for the next one."),
    "late_time": _("In the last day of a season no game begins any more."),
    "not_later": _("The end of a season can only be moved to a later day."),
    "too_long": _("A season lasts at most 400 days."),
    "not_running": _("This season does not run."),
    "begun": _("This season has begun: it can't be cancelled any more."),
    "alive": _("There is a season that is open or runs already."),
    "last_organiser": _("A league has at least one organiser."),
    "organiser_already": _("{player} organises this league already."),
    "no_organiser": _("{player} does not organise this league."),
    "league_closed": _("This league is closed already."),
    "text": "{what}",  # of the gate for texts, in the reader's language already
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
