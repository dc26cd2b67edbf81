"""Refusals of leagues, in words for players."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

SENTENCES = {
    "may_not_found": _("You can't start leagues yet. Ask the people who run this site."),
    "settings": _("A league can't work like this: {what}."),
    "short_rounds": _("Some rounds would be too short to play in. Give the season at least {days} days."),
    "too_many_rounds": _(
        "Even in {days} days, some rounds would be too short to play in. Choose fewer rounds or players."
    ),
    "name_taken": _("This name is taken by another league, or looks too much like one."),
    "not_organiser": _("Only this league's organisers can do that."),
    "own_game": _("You're playing in this yourself: another organiser has to decide."),
    "own_team": _("Your own team is playing here: another organiser has to decide."),
    "own_rank": _("This can change your own rank: another organiser has to decide."),
    "suspended": _("This account is suspended until {until}."),
    "not_open": _("Registration for this season is closed."),
    "not_registered": _("You are not registered for this season."),
    "over": _("This season is over."),
    "bot": _("Only people can play in leagues."),
    "not_settled": _("This game isn't over yet: you can only settle it afterwards."),
    "nothing_undecided": _("No game is waiting for a decision."),
    "ranks": _("Give each player a rank: 1 is first, and players who tie share a rank."),
    "no_ladder": _("There are no challenges here."),
    "challenge_over": _("This season is over: there are no new challenges."),
    "challenge_stranger": _("Only players on the ladder can challenge each other."),
    "challenge_not_above": _("You can only challenge players above you."),
    "challenge_too_far": _("That is too far above you."),
    "challenge_busy": _("You're already in a challenge."),
    "challenge_protected": _("They're already in a challenge."),
    "challenge_away": _("They're away just now: wait until they're back."),
    "challenge_none": _("You have no challenge to decline."),
    "challenge_begun": _("You've both played, so it's too late to decline. You can still resign."),
    "challenge_rematch": _("You two have just played each other: wait a few days."),
    "teams_only": _("This league is for teams: start one, or join one."),
    "no_teams": _("This league isn't for teams."),
    "no_name": _("Choose a name."),
    "team_name_taken": _("This name is taken by another team, or looks too much like one."),
    "not_captain": _("Only the captain of the team can do that."),
    "captain_stays": _("The captain can't be removed. Hand the team over first."),
    "in_team": _("You're already playing for a team this season."),
    "team_full": _("This team is full."),
    "not_invited": _("You're not invited to this team, or the link no longer works."),
    "not_member": _("Only players of the team can do that."),
    "unknown_player": _("There is no player called {name}."),
    "may_not_invite": _("You can't invite this player."),
    "no_match": _("The team doesn't have this match."),
    "line_up_closed": _("It's too late to change this line-up."),
    "line_up_number": _("Choose a player for each board."),
    "line_up_twice": _("A player can't play on two boards."),
    "line_up_stranger": _("Only players of the team can be in its line-up."),
    "no_substitute": _("It's too late to replace anyone on this board."),
    "substitute_busy": _("Choose a team member who isn't playing on a board in this round."),
    "reason": _("Give a reason: everyone can read it."),
    "no_game": _("There is no such game in this league."),
    "full": _("All places are taken. You can wait for one."),
    "no_substitutes": _(
        "There are no substitutes in a knock-out or on a ladder; in teams, their captains see to it."
    ),
    "ladder_stands": _("This challenge has already changed the ladder: its result can no longer be changed."),
    "no_seeds": _("There is no one to put in order: seeds are set before a season starts."),
    "too_many_seeds": _("There are too many to put in order by hand: at most {n}."),
    "seeds_changed": _("The registrations have changed. Look at the list again."),
    "not_played": _("This game wasn't played to the end: enter the ranks."),
    "no_player": _("There is no player of this name who can do that."),
    "plays_already": _("{player} is playing this season, or has left it."),
    "not_playing": _("{player} isn't playing this season."),
    "replaced_already": _("Someone is already playing for {player}."),
    "late_not_allowed": _("It's too late to join this season. You can wait for the next one."),
    "late_tables": _(
        "With three or more at a table, nobody can join a season in progress: wait for the next one."
    ),
    "late_schedule": _("Nobody can join a season like this while it's in progress: wait for the next one."),
    "late_full": _("All divisions are full. You can wait for a place."),
    "late_rounds": _("All rounds of this season have been drawn: wait for the next one."),
    "late_time": _("No new games start on the last day of a season."),
    "no_points": _("There is no table of points here, so there are no points to take away."),
    "penalty": _("Choose penalty points from 0 to {most}, in steps of ½."),
    "same_penalty": _("That's how many penalty points there are already."),
    "not_later": _("An end can only be moved to a later day."),
    "nothing_to_extend": _("There's nothing left to play there, or its end has passed."),
    "stale": _("Something has changed in the meantime. Look at the preview again before you confirm."),
    "too_long": _("A season lasts at most 400 days."),
    "not_late": _("There is still enough time for the next round, or there are no more rounds."),
    "not_running": _("This season isn't in progress."),
    "begun": _("This season has started: it can no longer be cancelled."),
    "alive": _("There is already a season open or in progress."),
    "offer_over": _("This place is no longer offered to you."),
    "prize": _("When something is at stake, a league needs two organisers. Name a second one first."),
    "last_organiser": _("A league needs at least one organiser."),
    "organiser_already": _("{player} already organises this league."),
    "no_organiser": _("{player} doesn't organise this league."),
    "league_closed": _("This league is already closed."),
    "link_only": _("You need this league's link to register. Ask its organisers."),
    "approval_only": _("In this league, organisers let players in. Ask to join."),
    "not_waiting": _("{player} isn't waiting for a place."),
    "begins": _("Choose a day after today, and within a year."),
    "asked_already": _("You've already asked about this. The organisers haven't answered yet."),
    "own_request": _("You've asked this yourself: another organiser has to answer it."),
    "answered_already": _("{player} has already answered this."),
    "text": "{what}",  # message of a text check, already translated
}


class LeagueRefused(Exception):
    """An act that a league refuses; nothing was changed."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    @property
    def message(self) -> str:
        return str(SENTENCES[self.code]).format(**self.params)

    def __str__(self) -> str:
        return self.message
