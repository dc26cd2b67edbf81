from django.db import migrations

from accounts.roles import ADMINISTRATOR, ROLES, grant


def make_groups(apps, schema_editor):
    groups = apps.get_model("auth", "Group")
    for role in ROLES:
        groups.objects.get_or_create(name=role)
    rights = {"view_player": "Can view player", "change_player": "Can change player"}
    grant(apps, ADMINISTRATOR, "accounts", "player", rights)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0012_mails_league"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(make_groups, migrations.RunPython.noop)]
