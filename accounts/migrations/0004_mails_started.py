from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def as_for_turns(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Until now these mails came and went with those about a turn."""
    apps.get_model("accounts", "Player").objects.update(mails_started=F("mails_your_turn"))


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_shortcuts"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="mails_started",
            field=models.BooleanField(default=True, verbose_name="when a game begins"),
        ),
        migrations.RunPython(as_for_turns, migrations.RunPython.noop),
    ]
