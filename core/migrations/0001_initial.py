from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='FailedTask',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.CharField(max_length=100, verbose_name='task')),
                ('arguments', models.CharField(blank=True, help_text='As JSON. Empty where they hold more than numbers, which might be personal.', max_length=200, verbose_name='arguments')),
                ('lost', models.PositiveSmallIntegerField(db_default=0, default=0, verbose_name='attempts lost')),
                ('until', models.DateTimeField(blank=True, null=True, verbose_name='rests until')),
                ('error', models.CharField(max_length=300, verbose_name='last error')),
                ('times', models.PositiveIntegerField(default=1, verbose_name='times')),
                ('first', models.DateTimeField(verbose_name='first')),
                ('last', models.DateTimeField(db_index=True, verbose_name='last')),
            ],
            options={
                'verbose_name': 'failed task',
                'verbose_name_plural': 'failed tasks',
                'permissions': [('queue_failedtask', 'Can queue failed tasks again')],
                'default_permissions': ('view',),
                'indexes': [models.Index(condition=models.Q(('lost__gt', 0)), fields=['until'], name='tasks_that_rest')],
                'constraints': [models.UniqueConstraint(fields=('task', 'arguments'), name='failed_task_once')],
            },
        ),
        migrations.CreateModel(
            name='TaskAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.CharField(max_length=100, verbose_name='task')),
                ('arguments', models.CharField(max_length=200, verbose_name='arguments')),
                ('message', models.CharField(max_length=100, verbose_name='message')),
                ('begun', models.DateTimeField(verbose_name='begun')),
            ],
            options={
                'verbose_name': 'attempt at a task',
                'verbose_name_plural': 'attempts at tasks',
                'default_permissions': (),
                'indexes': [models.Index(fields=['task', 'arguments'], name='attempts_at_a_task')],
            },
        ),
    ]
