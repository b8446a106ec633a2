"""Client of the scorecard pipeline, for vendors whose program is in Python. README.md shows how to use it."""

from .api_types import (
    AcceptedEntry,
    CardStatus,
    FeedPage,
    FilledScorecard,
    Finding,
    Problem,
    RefusedEntry,
    Scorecard,
    ScorecardEntry,
    Validation,
    WebhookEvent,
)
from .client import Client, Day
from .connection import HttpRequest, RememberedAnswer, Response, Transport, send_once
from .errors import (
    ApiError,
    BadRequestError,
    ConflictError,
    ForbiddenError,
    GoneError,
    InvalidCardsError,
    NoResponseError,
    NotFoundError,
    ScorecardsError,
    ServerError,
    TooLargeError,
    TooManyRequestsError,
    UnauthorizedError,
    WebhookSignatureError,
)
from .follow import is_settled
from .submit import CardInput, StrictResult, SubmissionProgress
from .webhook import verify_webhook
from .webhook_endpoints import WebhookTrial

__all__ = [
    "AcceptedEntry",
    "ApiError",
    "BadRequestError",
    "CardInput",
    "CardStatus",
    "Client",
    "ConflictError",
    "Day",
    "FeedPage",
    "FilledScorecard",
    "Finding",
    "ForbiddenError",
    "GoneError",
    "HttpRequest",
    "InvalidCardsError",
    "NoResponseError",
    "NotFoundError",
    "Problem",
    "RefusedEntry",
    "RememberedAnswer",
    "Response",
    "Scorecard",
    "ScorecardEntry",
    "ScorecardsError",
    "ServerError",
    "StrictResult",
    "SubmissionProgress",
    "TooLargeError",
    "TooManyRequestsError",
    "Transport",
    "UnauthorizedError",
    "Validation",
    "WebhookEvent",
    "WebhookSignatureError",
    "WebhookTrial",
    "is_settled",
    "send_once",
    "verify_webhook",
]
