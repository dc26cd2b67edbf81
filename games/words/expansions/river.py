"""The words of both rivers."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..expansion import Expansion

WORDS = Expansion(
    order=1,
    sets={"river1": gettext_lazy("The River"), "river2": gettext_lazy("The River II")},
    set_lines={
        "river1": gettext_lazy("A river is laid first, from its spring to a lake. 12 tiles."),
        "river2": gettext_lazy("A river that forks, and ends in a city and at a volcano. 12 tiles."),
    },
    set_adds={"river1": gettext_lazy("laid first"), "river2": gettext_lazy("laid first, forks")},
    options={
        "river_start_tile": gettext_lazy("Start tile of the base game"),
        "river_uturn": gettext_lazy("Bends of the river"),
        "river_source_divides_field": gettext_lazy("The spring divides the field"),
        "river2_volcano": gettext_lazy("The volcano"),
    },
    hints={
        "river_start_tile": gettext_lazy("The spring replaces it on the table."),
        "river_uturn": gettext_lazy("How soon the river can bend the same way again."),
        "river_source_divides_field": gettext_lazy("Usually the two banks form one field behind the spring."),
        "river2_volcano": gettext_lazy("Whether the volcano keeps figures off and earns another turn."),
    },
    values={
        ("river_start_tile", "removed"): gettext_lazy("is left out"),
        ("river_start_tile", "in_bag"): gettext_lazy("goes into the bag"),
        ("river_uturn", "immediate"): gettext_lazy("not to the same side on two tiles in a row"),
        ("river_uturn", "last_bend"): gettext_lazy("left and right by turns, however far apart"),
        ("river2_volcano", "extra_turn"): gettext_lazy("no figure on it, and another turn"),
        ("river2_volcano", "plain"): gettext_lazy("a tile like any other"),
    },
    tile_signs={"volcano": gettext_lazy("volcano")},
    forbidden={
        "RIVER-5": gettext_lazy("The tile must continue the river. Choose one of the marked spaces."),
        "RIVER-6": gettext_lazy("The river would bend back. Rotate the tile."),
        "RIVER-8": gettext_lazy(
            "The river would run into itself. Rotate the tile, or choose one of the marked spaces."
        ),
    },
    further={"volcano": gettext_lazy("{player} places the volcano and gets another turn.")},
)
