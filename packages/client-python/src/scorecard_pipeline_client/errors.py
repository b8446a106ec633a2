"""What the client raises. No text has credentials, or more of a person than the API itself said."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import cast

from .api_types import Finding, Problem


class ScorecardsError(Exception):
    """Whatever goes wrong between this client and the API."""


class NoResponseError(ScorecardsError):
    """The server could not be reached, the connection broke, or the request timed out."""


class ApiError(ScorecardsError):
    """The API refused a request: its text is the title and the detail of the API's problem document."""

    status: int
    """HTTP status."""
    problem: Problem | None
    """The API's problem document; None if the response has none."""
    retry_after_seconds: float | None
    """Retry-After; None if the response has none."""
    request_id: str | None
    """Identifies the request to the operator of the API; None if the response has no ID."""

    def __init__(self, api: str, status: int, headers: Mapping[str, str], text: str) -> None:
        self.status = status
        self.problem = _problem_in(text)
        self.retry_after_seconds = retry_after(headers)
        self.request_id = headers.get("x-amzn-requestid")
        super().__init__(_message(api, status, self.problem))

    @property
    def errors(self) -> list[Finding]:
        """The faults of refused cards: where, what is wrong, and what to do."""
        return self.problem.get("errors", []) if self.problem is not None else []


class BadRequestError(ApiError):
    """400: the request cannot be read."""


class UnauthorizedError(ApiError):
    """401: wrong credentials, or those of an account that is disabled."""


class ForbiddenError(ApiError):
    """403: the account may not use this."""


class NotFoundError(ApiError):
    """404: there is no such card, club or path."""


class ConflictError(ApiError):
    """409: the card's state does not allow this any more."""


class GoneError(ApiError):
    """410: a cursor is too old, or the card's player was erased."""


class TooLargeError(ApiError):
    """413: the request exceeds a limit."""


class InvalidCardsError(ApiError):
    """422: cards have faults, which `errors` lists; none was accepted."""


class TooManyRequestsError(ApiError):
    """429: too many requests, for longer than they were retried."""


class ServerError(ApiError):
    """5xx: nothing is wrong with the request. It may be sent again."""


class WebhookSignatureError(ScorecardsError):
    """The signature of a webhook is missing, wrong or too old: answer 401 and use nothing of the request."""


_BY_STATUS: Mapping[int, type[ApiError]] = {
    400: BadRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    410: GoneError,
    413: TooLargeError,
    422: InvalidCardsError,
    429: TooManyRequestsError,
}


def api_error(api: str, status: int, headers: Mapping[str, str], text: str) -> ApiError:
    """The error of a response, by its status."""
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
    return kind(api, status, headers, text)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """A response's Retry-After in seconds; None if it has none, or has a date."""
    seconds = headers.get("retry-after", "")
    return float(seconds) if re.fullmatch(r"[0-9]{1,9}", seconds) else None


def _problem_in(text: str) -> Problem | None:
    try:
        problem = json.loads(text)
    except ValueError:
        return None
    is_problem = isinstance(problem, dict) and isinstance(problem.get("title"), str)
    return cast(Problem, problem) if is_problem else None


def _message(api: str, status: int, problem: Problem | None) -> str:
    if problem is None:
        message = f"HTTP {status}"
        may_be_wrong_address = status in (403, 404)
    else:
        message = f"HTTP {status}: {'. '.join(filter(None, (problem['title'], problem.get('detail'))))}"
        may_be_wrong_address = status == 404 and problem["title"].startswith("No such path")
    if not may_be_wrong_address:
        return message
    hint = f"Check the base address {api}: it has the form https://{{host}}/{{stage}}, without an API set."
    return f"{message.removesuffix('.')}. {hint}"
