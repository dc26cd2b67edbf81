import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


def with_matches(apps, schema_editor):
    """Until now a line-up was that of a round, in which a team has one match."""
    line_ups = apps.get_model("leagues", "LineUp")
    matches = apps.get_model("leagues", "TeamMatch")
    for line_up in line_ups.objects.select_related("team"):
        own = Q(first=line_up.team_id) | Q(second=line_up.team_id)
        match = matches.objects.filter(own, division=line_up.team.division_id, round=line_up.round).first()
        if match is None:
            line_up.delete()
        else:
            line_up.match = match
            line_up.save(update_fields=["match"])


def with_rounds(apps, schema_editor):
    for line_up in apps.get_model("leagues", "LineUp").objects.select_related("match"):
        line_up.round = line_up.match.round
        line_up.save(update_fields=["round"])


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("leagues", "0008_mails"),
    ]

    operations = [
        migrations.AddField(
            model_name="teammatch",
            name="winner",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="leagues.team",
                verbose_name="winner",
            ),
        ),
        migrations.AddField(
            model_name="teammatch",
            name="best_of",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="games at a board at most"
            ),
        ),
        migrations.AddField(
            model_name="teammatch",
            name="ends",
            field=models.DateTimeField(blank=True, null=True, verbose_name="ends at the latest"),
        ),
        migrations.AlterField(
            model_name="seed",
            name="player",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="player",
            ),
        ),
        migrations.AddField(
            model_name="seed",
            name="team",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="seeds",
                to="leagues.team",
                verbose_name="team",
            ),
        ),
        migrations.AddConstraint(
            model_name="seed",
            constraint=models.UniqueConstraint(fields=("division", "team"), name="seed_team_once"),
        ),
        migrations.AddConstraint(
            model_name="seed",
            constraint=models.CheckConstraint(
                condition=Q(player=None, team__isnull=False) | Q(player__isnull=False, team=None),
                name="seed_of_player_or_team",
            ),
        ),
        migrations.AlterField(
            model_name="lineup",
            name="round",
            field=models.PositiveSmallIntegerField(verbose_name="round", null=True),
        ),
        migrations.AddField(
            model_name="lineup",
            name="match",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="line_ups",
                to="leagues.teammatch",
                verbose_name="match of teams",
            ),
        ),
        migrations.RunPython(with_matches, with_rounds),
    ]
