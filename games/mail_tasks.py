"""Tasks of the inbox. Rows say what is left to do: every task may run twice."""

from celery import shared_task
from django.utils import timezone

from games.mail_in import answering, receiving


@shared_task(ignore_result=True)
def answer_mail(mail_id: int) -> None:
    """Carry out a mail in the inbox, and owe its answer."""
    answering.answer_mail(mail_id=mail_id, now=timezone.now())


@shared_task(ignore_result=True)
def prune_inbox() -> None:
    """Delete old mails; queue another task if there are more."""
    if receiving.prune_mails(timezone.now()):
        prune_inbox.delay()
