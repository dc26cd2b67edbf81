"""Addresses of people without an account go some weeks after they were needed; a keyed hash stays
(``accounts/address_marks.py``). Of those who want no mails nothing else is kept from now on.

The release before does not know that: while it still runs, it finds no address that wants no mails."""

from django.db import migrations, models
from django.db.models import Q

from accounts.address_marks import mark_of
from carcassonne.online import AddCheckOnline


def mark(apps, schema_editor):
    for name in ("Invitation", "Notice"):
        rows = apps.get_model("games", name)._base_manager.exclude(address="").filter(address_mark="")
        for pk, address in rows.values_list("pk", "address").iterator(chunk_size=2000):
            rows.filter(pk=pk).update(address_mark=mark_of(address))
    silent = apps.get_model("games", "SilentAddress")._base_manager
    for pk, address in list(silent.filter(mark__contains="@").values_list("pk", "mark")):
        silent.filter(pk=pk).update(mark=mark_of(address))


def address_mark():
    return models.CharField(
        "hash of the address", max_length=64, blank=True, default="", db_default="", editable=False
    )


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0049_people_as_references")]

    operations = [
        migrations.AddField("invitation", "address_mark", address_mark()),
        migrations.AddField("notice", "address_mark", address_mark()),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("silentaddress", "address", "mark"),
                migrations.AlterField(
                    "silentaddress",
                    "mark",
                    models.CharField("hash", max_length=254, unique=True, db_column="address"),
                ),
            ]
        ),
        migrations.RemoveConstraint("invitation", "invitation_for_somebody"),
        AddCheckOnline(
            "invitation",
            models.CheckConstraint(
                condition=~Q(player=None) | ~Q(address="") | ~Q(address_mark=""),
                name="invitation_for_somebody",
            ),
        ),
        migrations.RemoveConstraint("notice", "notice_for_somebody"),
        AddCheckOnline(
            "notice",
            models.CheckConstraint(
                condition=~Q(recipient=None) | ~Q(address="") | ~Q(address_mark=""),
                name="notice_for_somebody",
            ),
        ),
        migrations.RunPython(mark, migrations.RunPython.noop),
    ]
