"""States of cards and events, as they change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Event

from .api_types import FINAL_STATES, CardStatus, FeedPage
from .connection import Connection
from .errors import (
    ApiError,
    BadRequestError,
    ForbiddenError,
    NoResponseError,
    NotFoundError,
    UnauthorizedError,
)
from .parallel import in_parallel

CARDS_PER_QUERY = 100
CONCURRENT_QUERIES = 4
_SHORTEST_PAUSE_SECONDS = 0.5
_PERMANENT = (BadRequestError, UnauthorizedError, ForbiddenError, NotFoundError)
"""Retries do not change these: the request or the account is wrong."""

_SETTLED = FINAL_STATES | {"refused", "unknown"}


def is_settled(state: str) -> bool:
    """Whether a card stays in a state unless someone corrects, withdraws or redrives it."""
    return state in _SETTLED


def queries_of(external_ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """Splits ExternalIDs into lists that one status query may have."""
    for first in range(0, len(external_ids), CARDS_PER_QUERY):
        yield external_ids[first : first + CARDS_PER_QUERY]


def follow_cards(
    connection: Connection,
    read: Callable[[Sequence[str]], list[CardStatus]],
    external_ids: Iterable[str],
    *,
    timeout_seconds: float,
    longest_pause_seconds: float,
) -> Iterator[CardStatus]:
    """Polls cards until each is settled or the time is over, and yields the status of each card whose state has changed.

    The pause between two polls grows while nothing changes. A transient error is retried, after Retry-After if there is one.

    :param read: reads the states of at most 100 cards, without retries
    """
    states: dict[str, str] = {}
    deadline = connection.clock() + timeout_seconds
    shortest_pause = min(_SHORTEST_PAUSE_SECONDS, longest_pause_seconds)
    waiting = list(dict.fromkeys(external_ids))
    pause = shortest_pause
    while True:
        has_changed = False
        longer_pause = 0.0

        def ask(query: Sequence[str]) -> tuple[list[CardStatus], float]:
            try:
                return read(query), 0.0
            except _PERMANENT:
                raise
            except ApiError as error:
                return [], error.retry_after_seconds or 0.0
            except NoResponseError:
                return [], 0.0

        for statuses, retry_after in in_parallel(queries_of(waiting), CONCURRENT_QUERIES, Event(), ask):
            longer_pause = max(longer_pause, retry_after)
            for status in statuses:
                if states.get(status["externalId"]) == status["state"]:
                    continue
                states[status["externalId"]] = status["state"]
                has_changed = True
                yield status
        waiting = [one for one in waiting if not is_settled(states.get(one, ""))]
        left = deadline - connection.clock()
        if not waiting or left <= 0:
            return
        pause = shortest_pause if has_changed else min(longest_pause_seconds, pause * 1.5)
        connection.pause(min(max(pause, longer_pause), left))


def follow_events(
    connection: Connection, read: Callable[[str | None], FeedPage], after: str | None
) -> Iterator[FeedPage]:
    """Yields pages of events, the oldest first, and goes on with what comes later, without an end.

    :param read: reads the page after a cursor, with retries
    """
    cursor = after
    while True:
        page = read(cursor)
        cursor = page["cursor"]
        if page["events"]:
            yield page
        if not page["more"]:
            connection.pause(page["askAgainAfterSeconds"])
