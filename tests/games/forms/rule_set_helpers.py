"""Data of the form that chooses the rules of a table."""

from games.forms.rule_sets import spread_out_preset
from games.rules import list_all_options

TABLE = {"name": "Toulouse", "seats": "3", "bots": "0", "clock": "steady", "visibility": "link"}


def build_form_data(preset: str = "standard", **changed: str | None) -> dict[str, str]:
    """Return the form's data as a browser sends it, with *preset* spread out and fields *changed* by hand."""
    fields = {
        name: str(value) for name, value in spread_out_preset(preset).items() if value not in (True, False)
    }
    fields |= {name: "on" for name, value in spread_out_preset(preset).items() if value is True}
    fields |= {**TABLE, "preset": preset}
    for name, value in changed.items():
        fields.pop(name.replace("__", "-"), None)
        if value is not None:
            fields[name.replace("__", "-")] = value
    return fields


def find_value_index(option: str, value: object) -> str:
    """Return the index of a value in the form."""
    (match,) = (one for one in list_all_options() if one.name == option)
    return str(match.values.index(value))
