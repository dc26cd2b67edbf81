"""Models of moderation: reports and incidents, appeals, the log, the desk, and signals of unfair play."""

from .appeal import IMPOSING, Appeal, AppealOutcome, ConductAct, ConductActKind
from .desk import ModeratorNote, NameChange, NamedKind, ReportedName, WarningTemplate
from .incident import Category, Evidence, Incident, IncidentAct, Report, Verdict
from .signal import GameSheet, Signal, SignalKind, SignalVerdict

__all__ = [
    "IMPOSING",
    "Appeal",
    "AppealOutcome",
    "Category",
    "ConductAct",
    "ConductActKind",
    "Evidence",
    "GameSheet",
    "Incident",
    "IncidentAct",
    "ModeratorNote",
    "NameChange",
    "NamedKind",
    "Report",
    "ReportedName",
    "Signal",
    "SignalKind",
    "SignalVerdict",
    "Verdict",
    "WarningTemplate",
]
