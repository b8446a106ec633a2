"""Any number of cards, in as many requests as they need."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any
from urllib.parse import quote

from .errors import ApiError
from .generated import AuthenticatedClient
from .generated.models import AcceptedEntry, Finding, RefusedEntry, Scorecard

Card = Scorecard | Mapping[str, Any]
"""A scorecard as the generated class, or as the dict that its JSON is, which is sent as it is."""

Entry = AcceptedEntry | RefusedEntry
"""The result of a card: `status` 201 with the `card` as it will be delivered, or 422 with its `errors`."""

CARDS_PER_REQUEST = 100


def submit(client: AuthenticatedClient, api_set: str, cards: Iterable[Card]) -> Iterator[Entry]:
    """Submits cards. Valid ones are accepted even if others are not.

    Yields one entry a card, in order; `index` is the card's place among all. After an error submit all cards again: the
    same content again changes nothing.

    :raises ApiError: if the API refuses a whole request
    :raises httpx.TransportError: if there is no response
    """
    seen: set[str] = set()
    numbered = enumerate(card.to_dict() if isinstance(card, Scorecard) else card for card in cards)
    while batch := list(islice(numbered, CARDS_PER_REQUEST)):
        repeated = {index: _refuse(index, card) for index, card in batch if _is_repeated(card, seen)}
        sent = [(index, card) for index, card in batch if index not in repeated]
        entries = {**repeated, **_send(client, api_set, sent)}
        yield from (entries[index] for index, _ in batch)


def _send(
    client: AuthenticatedClient, api_set: str, batch: list[tuple[int, Mapping[str, Any]]]
) -> dict[int, Entry]:
    """Sends one request. Returns the entries by the cards' places among all."""
    if not batch:
        return {}
    response = client.get_httpx_client().post(
        f"/{quote(api_set, safe='')}/ScorecardExchange",
        json=[card for _, card in batch],
        headers={"Prefer": "handling=lenient"},
    )
    if response.status_code != 207:
        raise ApiError(response)
    entries = [_read_entry(entry) for entry in response.json()]
    for entry in entries:
        index, _ = batch[entry.index]
        entry.index = index
        for finding in entry.warnings if isinstance(entry, AcceptedEntry) else entry.errors:
            finding.index = index
    return {entry.index: entry for entry in entries}


def _read_entry(entry: Mapping[str, Any]) -> Entry:
    return AcceptedEntry.from_dict(entry) if entry["status"] == 201 else RefusedEntry.from_dict(entry)


def _is_repeated(card: Mapping[str, Any], seen: set[str]) -> bool:
    """Whether an earlier card has the same ExternalID: in another request, the later one would correct the earlier."""
    external_id = card.get("ExternalID")
    if not isinstance(external_id, str):
        return False
    if external_id in seen:
        return True
    seen.add(external_id)
    return False


def _refuse(index: int, card: Mapping[str, Any]) -> RefusedEntry:
    external_id = card["ExternalID"]
    fault = Finding(
        index=index,
        external_id=external_id,
        pointer="/ExternalID",
        code="duplicate_external_id",
        detail="An earlier card has the same ExternalID. Give each card its own.",
    )
    return RefusedEntry(index=index, external_id=external_id, status=422, errors=[fault])
