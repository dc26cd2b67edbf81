import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='CalibrationMonth',
            fields=[
                ('month', models.DateField(primary_key=True, serialize=False, verbose_name='month')),
                ('sums', models.JSONField(default=dict, verbose_name='sums')),
                ('changed', models.PositiveIntegerField(default=0, verbose_name='changes of its games')),
                ('counted', models.PositiveIntegerField(default=0, verbose_name='the change up to which it is counted')),
            ],
            options={
                'verbose_name': 'month of calibration',
                'verbose_name_plural': 'months of calibration',
                'default_permissions': (),
                'indexes': [models.Index(condition=models.Q(('changed__gt', models.F('counted'))), fields=['month'], name='months_to_count')],
            },
        ),
        migrations.CreateModel(
            name='RatedGame',
            fields=[
                ('reference', models.BigIntegerField(primary_key=True, serialize=False, verbose_name='game')),
                ('pool', models.CharField(choices=[('duel', 'duels'), ('table', 'tables of three to six')], max_length=10, verbose_name='pool')),
                ('ended', models.DateTimeField(verbose_name='ended')),
                ('code', models.CharField(max_length=16, verbose_name='code')),
            ],
            options={
                'verbose_name': 'rated game',
                'verbose_name_plural': 'rated games',
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('ended', 'code'), name='rated_game_one_per_place'), models.CheckConstraint(condition=models.Q(('pool__in', ['duel', 'table'])), name='rated_game_pool_known')],
            },
        ),
        migrations.CreateModel(
            name='RatingBookmark',
            fields=[
                ('name', models.CharField(max_length=20, primary_key=True, serialize=False, verbose_name='name')),
                ('ended', models.DateTimeField(null=True, verbose_name='ended')),
                ('code', models.CharField(blank=True, max_length=16, verbose_name='code')),
                ('beta', models.FloatField(default=6.25, verbose_name='beta')),
            ],
            options={
                'verbose_name': 'bookmark of ratings',
                'verbose_name_plural': 'bookmarks of ratings',
                'default_permissions': (),
                'constraints': [models.CheckConstraint(condition=models.Q(('ended__isnull', False), ('code', ''), _connector='OR'), name='rated_up_to_a_place'), models.CheckConstraint(condition=models.Q(('beta__gt', 0)), name='rated_by_a_beta')],
            },
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.CharField(choices=[('duel', 'duels'), ('table', 'tables of three to six')], max_length=10, verbose_name='pool')),
                ('mu', models.FloatField(verbose_name='mu')),
                ('sigma', models.FloatField(verbose_name='sigma')),
                ('elo', models.FloatField(default=1500.0, verbose_name='Elo')),
                ('games', models.PositiveIntegerField(verbose_name='rated games')),
                ('ended', models.DateTimeField(verbose_name='when the last one ended')),
                ('settled_until', models.DateTimeField(null=True, verbose_name='until when it is not provisional')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to=settings.AUTH_USER_MODEL, verbose_name='player')),
            ],
            options={
                'verbose_name': 'rating',
                'verbose_name_plural': 'ratings',
                'default_permissions': (),
                'indexes': [models.Index(fields=['pool', '-mu', 'player'], name='ratings_leaders')],
                'constraints': [models.UniqueConstraint(fields=('player', 'pool'), name='rating_one_per_pool'), models.CheckConstraint(condition=models.Q(('pool__in', ['duel', 'table'])), name='rating_pool_known'), models.CheckConstraint(condition=models.Q(('sigma__gt', 0)), name='rating_has_a_doubt'), models.CheckConstraint(condition=models.Q(('games__gte', 1)), name='rating_has_a_game')],
            },
        ),
        migrations.CreateModel(
            name='RatingChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField(verbose_name='seat')),
                ('pool', models.CharField(choices=[('duel', 'duels'), ('table', 'tables of three to six')], max_length=10, verbose_name='pool')),
                ('ended', models.DateTimeField(verbose_name='ended')),
                ('code', models.CharField(max_length=16, verbose_name='code')),
                ('games', models.PositiveIntegerField(verbose_name='rated games so far, with this one')),
                ('rank', models.PositiveSmallIntegerField(verbose_name='rank')),
                ('expected', models.FloatField(verbose_name='expected before the game')),
                ('mu_before', models.FloatField(verbose_name='mu before')),
                ('sigma_before', models.FloatField(verbose_name='sigma before')),
                ('mu', models.FloatField(verbose_name='mu after')),
                ('sigma', models.FloatField(verbose_name='sigma after')),
                ('elo_before', models.FloatField(verbose_name='Elo before')),
                ('elo', models.FloatField(verbose_name='Elo after')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='rating_changes', to=settings.AUTH_USER_MODEL, verbose_name='player')),
                ('rated_game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='ratings.ratedgame', verbose_name='rated game')),
            ],
            options={
                'verbose_name': 'change of a rating',
                'verbose_name_plural': 'changes of ratings',
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('rated_game', 'seat'), name='rating_change_one_per_seat'), models.UniqueConstraint(fields=('player', 'pool', 'ended', 'code'), name='rating_change_one_per_game'), models.CheckConstraint(condition=models.Q(('pool__in', ['duel', 'table'])), name='rating_change_pool_known'), models.CheckConstraint(condition=models.Q(('seat__lt', 6)), name='rating_change_seat_under_six'), models.CheckConstraint(condition=models.Q(('rank__gte', 1), ('rank__lte', 6)), name='rating_change_rank_to_six'), models.CheckConstraint(condition=models.Q(('games__gte', 1)), name='rating_change_counts_its_game'), models.CheckConstraint(condition=models.Q(('expected__gte', 0), ('expected__lte', 1)), name='rating_change_expects_a_chance'), models.CheckConstraint(condition=models.Q(('sigma__gt', 0), ('sigma_before__gt', 0)), name='rating_change_has_a_doubt')],
            },
        ),
    ]
