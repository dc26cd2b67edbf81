import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from accounts.roles import ADMINISTRATOR, MODERATOR, grant
from core.migration_operations import RefuseChanges

READ = {"appeal": "Can view appeal", "conductact": "Can view act on a person"}


def grant_rights(apps, schema_editor):
    for role in (MODERATOR, ADMINISTRATOR):
        for model, name in READ.items():
            grant(apps, role, "moderation", model, {f"view_{model}": name})


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('games', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='GameSheet',
            fields=[
                ('version', models.PositiveIntegerField(verbose_name='version')),
                ('seats', models.JSONField(verbose_name='what it tells of each seat')),
                ('agreements', models.JSONField(blank=True, null=True, verbose_name='agreement with the house bot')),
                ('due', models.BooleanField(default=True, verbose_name='its players are to be looked at')),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='sheet', serialize=False, to='games.game', verbose_name='game')),
            ],
            options={
                'verbose_name': 'sheet of a game',
                'verbose_name_plural': 'sheets of games',
                'default_permissions': (),
                'indexes': [models.Index(condition=models.Q(('due', True)), fields=['game'], name='sheets_due')],
            },
        ),
        migrations.CreateModel(
            name='Incident',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('opened', models.DateTimeField(verbose_name='opened')),
                ('closed', models.DateTimeField(blank=True, null=True, verbose_name='closed')),
                ('verdict', models.CharField(blank=True, choices=[('upheld', 'upheld'), ('not_upheld', 'not upheld'), ('nothing', 'nothing to do')], max_length=10, verbose_name='verdict')),
                ('remark', models.TextField(blank=True, max_length=1000, verbose_name='what the moderator wrote')),
                ('about', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='incidents', to=settings.AUTH_USER_MODEL, verbose_name='about')),
                ('game', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='incidents', to='games.game', verbose_name='game')),
                ('looked_at_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='who looks at it')),
                ('closed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='closed by')),
            ],
            options={
                'verbose_name': 'incident',
                'verbose_name_plural': 'incidents',
                'default_permissions': (),
                'indexes': [models.Index(condition=models.Q(('closed', None)), fields=['opened'], name='incidents_open'), models.Index(fields=['closed'], name='incidents_closed')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('closed', None), ('closed_by', None), ('verdict', '')), models.Q(('closed__isnull', False), ('closed_by__isnull', False), ('verdict__in', ['upheld', 'not_upheld', 'nothing'])), _connector='OR'), name='incident_closed_with_a_verdict'), models.CheckConstraint(condition=models.Q(('closed_by', None), models.Q(('closed_by', models.F('about')), _negated=True), _connector='OR'), name='incident_closed_by_somebody_else'), models.UniqueConstraint(condition=models.Q(('closed', None)), fields=('about', 'game'), name='incident_open_once_per_game'), models.UniqueConstraint(condition=models.Q(('closed', None), ('game', None)), fields=('about',), name='incident_open_once_without_game')],
            },
        ),
        migrations.CreateModel(
            name='ModeratorNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='at')),
                ('text', models.TextField(max_length=2000, verbose_name='text')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='moderator_notes', to=settings.AUTH_USER_MODEL, verbose_name='player')),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='moderator')),
            ],
            options={
                'verbose_name': 'note of a moderator',
                'verbose_name_plural': 'notes of moderators',
                'ordering': ['-pk'],
                'default_permissions': (),
                'constraints': [models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='moderator_note_says_something')],
            },
        ),
        migrations.CreateModel(
            name='NameChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('table', 'table'), ('team', 'team'), ('league', 'league')], max_length=10, verbose_name='kind')),
                ('key', models.CharField(max_length=20, verbose_name='key')),
                ('before', models.CharField(blank=True, max_length=60, verbose_name='before')),
                ('after', models.CharField(max_length=60, verbose_name='after')),
                ('at', models.DateTimeField(verbose_name='at')),
                ('reason', models.TextField(max_length=500, verbose_name='reason')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='name_changes', to=settings.AUTH_USER_MODEL, verbose_name='who named it')),
                ('who', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='moderator')),
            ],
            options={
                'verbose_name': 'change of a name',
                'verbose_name_plural': 'changes of names',
                'ordering': ['-pk'],
                'default_permissions': (),
                'indexes': [models.Index(fields=['kind', 'key'], name='name_changes_of_a_thing')],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['table', 'team', 'league'])), name='name_change_kind_known'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='name_change_says_why')],
            },
        ),
        migrations.CreateModel(
            name='Signal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('device', 'Two accounts in one browser'), ('network', 'Two accounts in one network'), ('mailbox', 'Two accounts of one mailbox'), ('helping', 'A seat that helps another'), ('stalling', 'Slower when behind'), ('throwing', 'Games thrown to one opponent'), ('program', "Turns like a program's")], max_length=10, verbose_name='kind')),
                ('score', models.FloatField(verbose_name='score')),
                ('base_rate', models.FloatField(verbose_name='share of honest people that look like this')),
                ('data', models.JSONField(verbose_name='data')),
                ('found', models.DateTimeField(verbose_name='found')),
                ('refreshed', models.DateTimeField(verbose_name='last found')),
                ('settled', models.DateTimeField(blank=True, null=True, verbose_name='settled')),
                ('verdict', models.CharField(blank=True, choices=[('nothing', 'nothing in it'), ('acted', 'something was done about it')], max_length=10, verbose_name='verdict')),
                ('why', models.TextField(blank=True, max_length=500, verbose_name='why')),
                ('own_matter', models.BooleanField(blank=True, editable=False, null=True, verbose_name='own matter')),
                ('subject', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='signals', to=settings.AUTH_USER_MODEL, verbose_name='player')),
                ('other', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='signals_beside', to=settings.AUTH_USER_MODEL, verbose_name='other player')),
                ('settled_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='settled by')),
            ],
            options={
                'verbose_name': 'signal',
                'verbose_name_plural': 'signals',
                'default_permissions': (),
                'indexes': [models.Index(condition=models.Q(('settled', None)), fields=['found'], name='signals_waiting')],
                'constraints': [models.UniqueConstraint(fields=('kind', 'subject', 'other'), name='signal_one_of_two'), models.UniqueConstraint(condition=models.Q(('other', None)), fields=('kind', 'subject'), name='signal_one_of_one'), models.CheckConstraint(condition=models.Q(('kind__in', ['device', 'network', 'mailbox', 'helping', 'stalling', 'throwing', 'program'])), name='signal_kind_known'), models.CheckConstraint(condition=models.Q(('subject', models.F('other')), _negated=True), name='signal_of_two_people'), models.CheckConstraint(condition=models.Q(('base_rate__gte', 0), ('base_rate__lte', 1)), name='signal_base_rate_is_a_share'), models.CheckConstraint(condition=models.Q(models.Q(('settled', None), ('settled_by', None), ('verdict', ''), ('why', '')), models.Q(('settled__isnull', False), ('settled_by__isnull', False), ('verdict__in', ['nothing', 'acted']), models.Q(('why', ''), _negated=True)), _connector='OR'), name='signal_settled_says_why')],
            },
        ),
        migrations.CreateModel(
            name='WarningTemplate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.SlugField(db_index=False, max_length=20, verbose_name='name')),
                ('language', models.CharField(choices=[('en', 'English'), ('pl', 'Polski'), ('sk', 'Slovenčina'), ('is', 'Íslenska'), ('ru', 'Русский')], max_length=10, verbose_name='language')),
                ('version', models.PositiveIntegerField(verbose_name='version')),
                ('title', models.CharField(blank=True, max_length=60, verbose_name='title')),
                ('text', models.TextField(blank=True, max_length=1000, verbose_name='text')),
                ('at', models.DateTimeField(verbose_name='at')),
                ('who', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='moderator')),
            ],
            options={
                'verbose_name': 'text of warnings',
                'verbose_name_plural': 'texts of warnings',
                'ordering': ['-pk'],
                'default_permissions': (),
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('text', ''), ('title', '')), models.Q(models.Q(('title', ''), _negated=True), models.Q(('text', ''), _negated=True)), _connector='OR'), name='warning_template_whole'), models.UniqueConstraint(fields=('name', 'language', 'version'), name='warning_template_version')],
            },
        ),
        migrations.CreateModel(
            name='Appeal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('words', models.TextField(blank=True, max_length=2000, verbose_name='words')),
                ('at', models.DateTimeField(verbose_name='at')),
                ('due', models.DateTimeField(verbose_name='to be answered by')),
                ('answer', models.TextField(blank=True, max_length=1000, verbose_name='answer')),
                ('answered', models.DateTimeField(blank=True, null=True, verbose_name='answered')),
                ('outcome', models.CharField(blank=True, choices=[('upheld', 'it stands'), ('shortened', 'it ends earlier'), ('lifted', 'it is lifted')], max_length=10, verbose_name='outcome')),
                ('sanction', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='appeal', to='games.sanction', verbose_name='sanction')),
                ('answered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='answered by')),
            ],
            options={
                'verbose_name': 'appeal',
                'verbose_name_plural': 'appeals',
                'ordering': ['-pk'],
                'default_permissions': ('view',),
                'indexes': [models.Index(condition=models.Q(('answered', None)), fields=['due'], name='appeals_open')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('answered', None), ('answered_by', None), ('outcome', '')), models.Q(('answered__isnull', False), ('answered_by__isnull', False), ('outcome__in', ['upheld', 'shortened', 'lifted'])), _connector='OR'), name='appeal_answered_with_an_outcome')],
            },
        ),
        migrations.CreateModel(
            name='Evidence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ply', models.PositiveIntegerField(blank=True, null=True, verbose_name='turn')),
                ('at', models.DateTimeField(verbose_name='at')),
                ('found', models.JSONField(verbose_name='what was found')),
                ('incident', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='evidence', to='moderation.incident', verbose_name='incident')),
                ('message', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='evidence', to='games.message', verbose_name='message')),
            ],
            options={
                'verbose_name': 'evidence',
                'verbose_name_plural': 'evidence',
                'default_permissions': (),
                'indexes': [models.Index(condition=models.Q(('incident', None)), fields=['at'], name='evidence_of_deleted')],
                'constraints': [models.CheckConstraint(condition=models.Q(('incident__isnull', False), ('message__isnull', False), _connector='OR'), name='evidence_of_something')],
            },
        ),
        migrations.CreateModel(
            name='ConductAct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('warn', 'warned'), ('mute', 'muted'), ('suspend', 'suspended'), ('lift', 'lifted what was done to'), ('answer', 'answered the appeal of')], max_length=10, verbose_name='what was done')),
                ('at', models.DateTimeField(verbose_name='at')),
                ('why', models.TextField(max_length=1000, verbose_name='why')),
                ('before', models.JSONField(verbose_name='before')),
                ('after', models.JSONField(verbose_name='after')),
                ('own_matter', models.BooleanField(blank=True, editable=False, null=True, verbose_name='own matter')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='conduct_acts', to=settings.AUTH_USER_MODEL, verbose_name='player')),
                ('sanction', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='acts', to='games.sanction', verbose_name='sanction')),
                ('incident', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='moderation.incident', verbose_name='incident that it comes from')),
                ('who', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='moderator')),
            ],
            options={
                'verbose_name': 'act on a person',
                'verbose_name_plural': 'acts on people',
                'ordering': ['-pk'],
                'default_permissions': ('view',),
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['warn', 'mute', 'suspend', 'lift', 'answer'])), name='conduct_kind_known'), models.CheckConstraint(condition=models.Q(('why', ''), _negated=True), name='conduct_says_why')],
            },
        ),
        migrations.CreateModel(
            name='IncidentAct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('take', 'takes a look'), ('close', 'closes it'), ('reopen', 'opens it again'), ('delete', 'deletes a message')], max_length=10, verbose_name='what was done')),
                ('at', models.DateTimeField(verbose_name='at')),
                ('verdict', models.CharField(blank=True, choices=[('upheld', 'upheld'), ('not_upheld', 'not upheld'), ('nothing', 'nothing to do')], max_length=10, verbose_name='verdict')),
                ('remark', models.TextField(blank=True, max_length=1000, verbose_name='what the moderator wrote')),
                ('own_matter', models.BooleanField(blank=True, editable=False, null=True, verbose_name='own matter')),
                ('incident', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='acts', to='moderation.incident', verbose_name='incident')),
                ('who', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='moderator')),
                ('message', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.message', verbose_name='message')),
            ],
            options={
                'verbose_name': 'act on an incident',
                'verbose_name_plural': 'acts on incidents',
                'ordering': ['-pk'],
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('category', models.CharField(choices=[('stalling', 'stalling'), ('abandoned', 'game abandoned'), ('thrown', 'lost on purpose'), ('collusion', 'playing together'), ('insults', 'insults'), ('name', 'name'), ('program', 'help by a program'), ('other', 'something else')], max_length=10, verbose_name='category')),
                ('words', models.TextField(blank=True, max_length=1000, verbose_name='words')),
                ('ply', models.PositiveIntegerField(blank=True, null=True, verbose_name='turn')),
                ('at', models.DateTimeField(verbose_name='at')),
                ('verdict', models.CharField(blank=True, choices=[('upheld', 'upheld'), ('not_upheld', 'not upheld'), ('nothing', 'nothing to do')], db_default='', default='', max_length=10, verbose_name='verdict')),
                ('incident', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='moderation.incident', verbose_name='incident')),
                ('reporter', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to=settings.AUTH_USER_MODEL, verbose_name='reporter')),
                ('message', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='games.message', verbose_name='message')),
            ],
            options={
                'verbose_name': 'report',
                'verbose_name_plural': 'reports',
                'default_permissions': (),
                'indexes': [models.Index(fields=['reporter', 'at'], name='reports_of_a_reporter')],
                'constraints': [models.CheckConstraint(condition=models.Q(('category__in', ['stalling', 'abandoned', 'thrown', 'collusion', 'insults', 'name', 'program', 'other'])), name='report_category_known'), models.CheckConstraint(condition=models.Q(('message', None), ('ply', None), _connector='OR'), name='report_of_a_message_or_a_turn'), models.UniqueConstraint(fields=('incident', 'reporter', 'message'), name='report_once_of_a_message'), models.UniqueConstraint(condition=models.Q(('message', None)), fields=('incident', 'reporter'), name='report_once_of_the_whole')],
            },
        ),
        migrations.CreateModel(
            name='ReportedName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('table', 'table'), ('team', 'team'), ('league', 'league')], max_length=10, verbose_name='kind')),
                ('key', models.CharField(max_length=20, verbose_name='key')),
                ('name', models.CharField(blank=True, max_length=60, verbose_name='name')),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reported_names', to='moderation.report', verbose_name='report')),
            ],
            options={
                'verbose_name': 'reported name',
                'verbose_name_plural': 'reported names',
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('report', 'kind', 'key'), name='reported_name_once'), models.CheckConstraint(condition=models.Q(('kind__in', ['table', 'team', 'league'])), name='reported_name_kind_known')],
            },
        ),
        RefuseChanges("ConductAct"),
        RefuseChanges("IncidentAct"),
        RefuseChanges("Evidence", deletes=False),  # it goes when its time is over
        RefuseChanges("ModeratorNote", deletes=False),  # it goes with the account
        migrations.RunPython(grant_rights, migrations.RunPython.noop),
    ]
