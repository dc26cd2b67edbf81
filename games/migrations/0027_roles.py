from django.db import migrations

from accounts.roles import ADMINISTRATOR, MODERATOR, grant

READ = ("game", "seat", "move", "tile", "message", "invitation", "notice", "moderationact")
NAMES = {"message": "message", "notice": "notice", "moderationact": "act of a moderator"}


def give(apps, schema_editor):
    for role in (MODERATOR, ADMINISTRATOR):
        grant(apps, role, "games", "game", {"moderate_game": "Can moderate games"})
        for model in READ:
            name = NAMES.get(model, model)
            grant(apps, role, "games", model, {f"view_{model}": f"Can view {name}"})


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0026_append_only"),
        ("accounts", "0013_roles"),
    ]

    operations = [migrations.RunPython(give, migrations.RunPython.noop)]
