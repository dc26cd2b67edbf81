from django.db import migrations

from accounts.roles import ADMINISTRATOR, grant


def let_administrators_see(apps, schema_editor):
    rights = {"view_failedtask": "Can view failed task", "queue_failedtask": "Can queue failed tasks again"}
    grant(apps, ADMINISTRATOR, "carcassonne", "failedtask", rights)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0013_roles"),
        ("carcassonne", "0001_failed_tasks"),
    ]

    operations = [migrations.RunPython(let_administrators_see, migrations.RunPython.noop)]
