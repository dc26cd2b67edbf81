import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import accounts.models
import accounts.names
from accounts.roles import ADMINISTRATOR, ROLES, grant
from core.migration_operations import RefuseChanges

SAME = " AND ".join(
    f"NEW.{name} = OLD.{name}" for name in ("id", "at", "actor_id", "player_id", "act", "why")
)
FORGOTTEN = "NEW.before = '{}' AND NEW.after = '{}'"
"""Closing an account empties what was before and after: nothing else of an act is ever changed."""


def make_roles(apps, schema_editor):
    groups = apps.get_model("auth", "Group")
    for role in ROLES:
        groups.objects.get_or_create(name=role)
    rights = {"view_player": "Can view player", "change_player": "Can change player"}
    grant(apps, ADMINISTRATOR, "accounts", "player", rights)
    rights = {"view_failedtask": "Can view failed task", "queue_failedtask": "Can queue failed tasks again"}
    grant(apps, ADMINISTRATOR, "core", "failedtask", rights)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ("core", "0001_initial"),
        ("contenttypes", "0002_remove_content_type_name"),
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='ClosedName',
            fields=[
                ('mark', models.CharField(max_length=64, primary_key=True, serialize=False, verbose_name='hash')),
            ],
            options={
                'verbose_name': 'name of a closed account',
                'verbose_name_plural': 'names of closed accounts',
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'This name is taken, or looks like one that is.'}, max_length=30, unique=True, validators=[accounts.names.validate], verbose_name='name')),
                ('name_key', accounts.models.OfName(accounts.names.build_key, unique=True)),
                ('name_looks', accounts.models.OfName(accounts.names.build_lookalike_key)),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('language', models.CharField(choices=[('en', 'English'), ('pl', 'Polski'), ('sk', 'Slovenčina'), ('is', 'Íslenska'), ('ru', 'Русский')], default='en', max_length=10, verbose_name='language')),
                ('time_zone', models.CharField(default='UTC', max_length=64, validators=[accounts.models.validate_time_zone], verbose_name='time zone')),
                ('rest_from', models.TimeField(blank=True, null=True, verbose_name='rest from')),
                ('rest_to', models.TimeField(blank=True, null=True, verbose_name='rest to')),
                ('weekend_days', models.JSONField(blank=True, default=list, verbose_name='weekend days')),
                ('auto_holiday', models.BooleanField(default=True, verbose_name='start a holiday automatically when my time runs out')),
                ('theme', models.CharField(choices=[('device', 'As the device'), ('light', 'Light'), ('dark', 'Dark')], default='device', max_length=10, verbose_name='colours')),
                ('notice_timings', models.JSONField(blank=True, default=dict, verbose_name='notifications')),
                ('digest_hour', models.PositiveSmallIntegerField(default=8, validators=[django.core.validators.MaxValueValidator(23)], verbose_name='daily email at')),
                ('reminder_hours', models.JSONField(blank=True, default=list, verbose_name='reminders before the deadline')),
                ('told_once', models.CharField(blank=True, default='', editable=False, max_length=60)),
                ('mail_paused', models.DateTimeField(blank=True, null=True, verbose_name='no emails since')),
                ('mail_pause_cause', models.CharField(blank=True, choices=[('refused', 'the mail server rejects this address'), ('bounced', 'an email bounced'), ('complained', 'an email was reported as spam')], default='', max_length=10, verbose_name='why no emails')),
                ('address_refused', models.DateTimeField(blank=True, editable=False, null=True)),
                ('shows_looks', models.BooleanField(default=False, verbose_name='let others see when I have looked at my turn')),
                ('undo_seconds', models.PositiveSmallIntegerField(default=30, validators=[django.core.validators.MaxValueValidator(120)], verbose_name='seconds in which I can undo a turn')),
                ('shortcuts', models.BooleanField(default=True, verbose_name='keyboard shortcuts of a single letter')),
                ('is_bot', models.BooleanField(default=False, verbose_name='bot')),
                ('provisional', models.BooleanField(default=False, verbose_name='guest')),
                ('is_staff', models.BooleanField(default=False, verbose_name='may use the admin')),
                ('is_active', models.BooleanField(default=True, verbose_name='may sign in')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='joined')),
                ('sanctioned', models.BooleanField(default=False, editable=False)),
                ('closes', models.DateTimeField(blank=True, db_index=True, null=True, verbose_name='account closes')),
                ('closed', models.DateTimeField(blank=True, null=True, verbose_name='account closed')),
                ('session_round', models.PositiveIntegerField(default=0, editable=False)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'player',
                'verbose_name_plural': 'players',
                'indexes': [models.Index(condition=models.Q(('sanctioned', True)), fields=['id'], name='players_sanctioned'), models.Index(condition=models.Q(('provisional', True)), fields=['id'], name='players_provisional')],
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('email'), condition=models.Q(('email', ''), _negated=True), name='player_email_in_any_case', violation_error_message='This address belongs to another account.'), models.UniqueConstraint(fields=('name_looks',), name='player_name_looks_once', violation_error_message='This name is taken, or looks like one that is.'), models.CheckConstraint(condition=models.Q(models.Q(('mail_pause_cause', ''), ('mail_paused', None)), models.Q(('mail_pause_cause__in', ['refused', 'bounced', 'complained']), ('mail_paused__isnull', False)), _connector='OR'), name='player_mail_paused_for_a_cause')],
            },
        ),
        migrations.CreateModel(
            name='AccountAct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='at')),
                ('act', models.CharField(choices=[('change', 'changed'), ('rank', 'changed the rights of'), ('address', 'changed the address of'), ('close', 'closed'), ('sign_out', 'signed out everywhere'), ('factor', 'removed the second factor of')], max_length=10, verbose_name='act')),
                ('why', models.TextField(max_length=500, verbose_name='why')),
                ('before', models.JSONField(default=dict, verbose_name='before')),
                ('after', models.JSONField(default=dict, verbose_name='after')),
                ('own_matter', models.BooleanField(blank=True, editable=False, null=True, verbose_name='own matter')),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='acts_done', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='acts', to=settings.AUTH_USER_MODEL, verbose_name='account')),
            ],
            options={
                'verbose_name': 'act on an account',
                'verbose_name_plural': 'acts on accounts',
                'ordering': ['-at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='AddressChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('old', models.EmailField(max_length=254, verbose_name='old address')),
                ('new', models.EmailField(max_length=254, verbose_name='new address')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='at')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='address_changes', to=settings.AUTH_USER_MODEL, verbose_name='player')),
            ],
            options={
                'verbose_name': 'change of address',
                'verbose_name_plural': 'changes of address',
            },
        ),
        migrations.CreateModel(
            name='BarredAddress',
            fields=[
                ('mark', models.CharField(max_length=64, primary_key=True, serialize=False, verbose_name='hash')),
                ('until', models.DateTimeField(verbose_name='until')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='barred', to=settings.AUTH_USER_MODEL, verbose_name='player')),
            ],
            options={
                'verbose_name': 'address of a suspended account',
                'verbose_name_plural': 'addresses of suspended accounts',
            },
        ),
        migrations.CreateModel(
            name='DataExport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked', models.DateTimeField(default=django.utils.timezone.now, verbose_name='asked')),
                ('ready', models.DateTimeField(blank=True, null=True, verbose_name='ready')),
                ('file', models.FileField(blank=True, upload_to='exports', verbose_name='file')),
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='data_export', to=settings.AUTH_USER_MODEL, verbose_name='player')),
            ],
            options={
                'verbose_name': 'export of data',
                'verbose_name_plural': 'exports of data',
            },
        ),
        migrations.CreateModel(
            name='FeedSecret',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='feed_secret', serialize=False, to=settings.AUTH_USER_MODEL, verbose_name='player')),
                ('secret', models.CharField(editable=False, max_length=32, unique=True, verbose_name='secret')),
                ('made', models.DateTimeField(verbose_name='made')),
            ],
            options={
                'verbose_name': 'secret of private feeds',
                'verbose_name_plural': 'secrets of private feeds',
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='Letter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('to', models.EmailField(max_length=254, verbose_name='to')),
                ('template', models.CharField(max_length=40, verbose_name='template')),
                ('context', models.JSONField(default=dict, verbose_name='what it says')),
                ('owed', models.DateTimeField(default=django.utils.timezone.now, verbose_name='owed')),
                ('due', models.DateTimeField(db_index=True, default=django.utils.timezone.now, verbose_name='due')),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='letters', to=settings.AUTH_USER_MODEL, verbose_name='player')),
            ],
            options={
                'verbose_name': 'letter',
                'verbose_name_plural': 'letters',
            },
        ),
        migrations.CreateModel(
            name='Trace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('device', 'browser'), ('network', 'network, on one day'), ('mailbox', 'mailbox')], max_length=10, verbose_name='kind')),
                ('mark', models.CharField(max_length=64, verbose_name='hash')),
                ('first', models.DateField(verbose_name='first day')),
                ('last', models.DateField(db_index=True, verbose_name='last day')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='traces', to=settings.AUTH_USER_MODEL, verbose_name='player')),
            ],
            options={
                'verbose_name': 'trace',
                'verbose_name_plural': 'traces',
                'default_permissions': (),
                'indexes': [models.Index(fields=['kind', 'mark'], name='traces_in_common')],
                'constraints': [models.UniqueConstraint(fields=('player', 'kind', 'mark'), name='trace_once'), models.CheckConstraint(condition=models.Q(('kind__in', ['device', 'network', 'mailbox'])), name='trace_kind_known'), models.CheckConstraint(condition=models.Q(('first__lte', models.F('last'))), name='trace_first_before_last')],
            },
        ),
        RefuseChanges("AccountAct", unless=f"{SAME} AND {FORGOTTEN}"),
        migrations.RunPython(make_roles, migrations.RunPython.noop),
    ]
