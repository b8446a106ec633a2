"""Client of the scorecard pipeline: the generated requests, and what a generator cannot make."""

from .connect import connect
from .errors import ApiError
from .events import follow_events
from .generated import AuthenticatedClient
from .submit import submit

__all__ = ["ApiError", "AuthenticatedClient", "connect", "follow_events", "submit"]
