"""A confirmation page before irreversible actions."""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

SURE = "sure"
"""Name of the button that answers yes."""


class ConfirmationQuestion(NamedTuple):
    """A question: its title, the consequence of yes, the labels of both buttons, where no leads, and a form
    with what else has to be known."""

    title: str
    consequence: str
    yes: str
    no: str
    back: str
    form: Form | None = None


def ask(request: HttpRequest, question: ConfirmationQuestion) -> HttpResponse:
    """Show *question*; yes submits the same request again, with ``SURE``."""
    asked = {"csrfmiddlewaretoken", SURE, *(question.form.fields if question.form else ())}
    sent = [(name, value) for name, value in request.POST.items() if name not in asked]
    return render(request, "games/confirm.html", {"question": question, "sent": sent, "sure": SURE})


def confirmation_required(make_question: Callable[..., ConfirmationQuestion | None]) -> Callable[..., Any]:
    """Return a decorator that answers a POST without ``SURE`` with the question that *make_question* builds.

    Without a question (``None``) the view is called.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def respond(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST" and SURE not in request.POST:
                question = make_question(*args, **kwargs)
                if question is not None:
                    return ask(request, question)
            return view(request, *args, **kwargs)

        return respond

    return decorate
