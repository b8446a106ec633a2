"""The feed of what becomes of cards."""

import time
from collections.abc import Iterator

from httpx import Response, TransportError

from .errors import ApiError
from .generated import AuthenticatedClient
from .generated.api.scorecards import list_events
from .generated.models import FeedPage
from .generated.types import UNSET

_PAUSE_AFTER_ERROR_SECONDS = 5
"""After an error that retries did not end."""


def follow_events(client: AuthenticatedClient, api_set: str, after: str | None = None) -> Iterator[FeedPage]:
    """Yields pages of events, the oldest first, and goes on with what comes later, without an end.

    Store a page's `cursor` when its events are done with, and begin with it next time.

    :param after: the stored cursor; `latest` for what comes from now on; by default the oldest event
    :raises ApiError: if the API refuses the request, with status 410 if the cursor is too old
    """
    cursor = after
    while True:
        page = _read_page(client, api_set, cursor)
        if page is None:
            time.sleep(_PAUSE_AFTER_ERROR_SECONDS)
            continue
        cursor = page.cursor
        if page.events:
            yield page
        if not page.more:
            time.sleep(page.ask_again_after_seconds)


def _read_page(client: AuthenticatedClient, api_set: str, cursor: str | None) -> FeedPage | None:
    """Reads the page after a cursor; None if the API is busy or cannot be reached."""
    try:
        answer = list_events.sync_detailed(api_set, client=client, after=UNSET if cursor is None else cursor)
    except TransportError:
        return None
    if isinstance(answer.parsed, FeedPage):
        return answer.parsed
    if answer.status_code == 429 or answer.status_code >= 500:
        return None
    raise ApiError(Response(answer.status_code, content=answer.content))
