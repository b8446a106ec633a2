"""Any number of cards, in as many requests as they need."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any, NamedTuple, cast

from .api_types import FilledScorecard, Finding, Scorecard, ScorecardEntry, Validation
from .connection import Connection
from .errors import InvalidCardsError, TooLargeError
from .parallel import in_parallel

CardInput = Scorecard | str
"""A scorecard, or its JSON text, which is sent as it is, with every digit."""

MOST_CARDS = 1_000
MOST_BYTES = 5 * 1_024 * 1_024


@dataclass(frozen=True)
class SubmissionProgress:
    """How far a submission is."""

    accepted: int = 0
    refused: int = 0
    warnings: int = 0
    """Warnings about accepted cards."""


class StrictResult(NamedTuple):
    """The cards that a strict submission accepted."""

    cards: list[FilledScorecard]
    """In order, as they will be delivered."""
    warnings: int
    """Number of warnings; the cards' states list them."""


@dataclass(frozen=True, repr=False)
class _Card:
    """A card with its place among all cards of a submission."""

    index: int
    json: bytes
    external_id: str | None


def submit_in_parts(
    connection: Connection,
    cards: Iterable[CardInput],
    *,
    parallel: int = 4,
    any_correction: bool = False,
    on_progress: Callable[[SubmissionProgress], None] | None = None,
) -> Iterator[list[ScorecardEntry]]:
    """Submits cards. Valid ones are accepted even if others are not.

    Yields entries as they come, those of a request together; `index` is the card's place among all.
    """
    stop = Event()
    connection = connection.stopped_by(stop)
    refusals: list[ScorecardEntry] = []
    progress = SubmissionProgress()
    is_repeated = _repetition()

    def sent() -> Iterator[_Card]:
        for card in _indexed(cards):
            if is_repeated(card):
                refusals.append(_refused(card, _REPEATED))
            else:
                yield card

    def counted(entries: list[ScorecardEntry]) -> list[ScorecardEntry]:
        nonlocal progress
        accepted = [entry for entry in entries if entry["status"] == 201]
        progress = SubmissionProgress(
            accepted=progress.accepted + len(accepted),
            refused=progress.refused + len(entries) - len(accepted),
            warnings=progress.warnings + sum(len(entry["warnings"]) for entry in accepted),
        )
        if on_progress is not None:
            on_progress(progress)
        return entries

    parts = in_parallel(in_requests(sent()), parallel, stop, lambda part: _submit(connection, part, any_correction))
    # The last request is made when all cards have come, so its entries come after each refusal.
    for entries in parts:
        waiting = refusals[:]
        del refusals[: len(waiting)]
        yield counted([*waiting, *entries])


def submit_all_or_none(
    connection: Connection, cards: Iterable[CardInput], *, any_correction: bool
) -> StrictResult:
    """Submits cards, all or none. If they need several requests, all are validated before the first is submitted.

    :raises InvalidCardsError: with the faults of all refused cards
    """
    requests = list(in_requests(_indexed(cards)))
    if len(requests) > 1:
        validated = _validate_requests(connection, requests, players=False, any_correction=any_correction)["cards"]
        is_repeated = _repetition()
        faults = [fault for card in validated for fault in cast(Any, card).get("errors", [])]
        for request in requests:
            faults += [_finding(card, _REPEATED) for card in request if is_repeated(card)]
        _refuse(connection.api, faults, sum(map(len, requests)))
    accepted: list[FilledScorecard] = []
    warnings = 0
    for request in requests:
        answer = connection.send(
            "ScorecardExchange",
            method="POST",
            body=_body_of(request),
            headers=_preferring(any_correction),
            expected=201,
        )
        accepted += json.loads(answer.text)
        warnings += int(answer.headers.get("scorecard-warnings", "0"))
    return StrictResult(accepted, warnings)


def validate_cards(
    connection: Connection, cards: Iterable[CardInput], *, players: bool, any_correction: bool
) -> Validation:
    """Validates any number of cards. No card is stored or sent."""
    return _validate_requests(connection, in_requests(_indexed(cards)), players=players, any_correction=any_correction)


def _preferring(any_correction: bool) -> dict[str, str]:
    return {"Prefer": "correction=any"} if any_correction else {}


def _submit(connection: Connection, part: Sequence[_Card], any_correction: bool) -> list[ScorecardEntry]:
    try:
        entries: list[ScorecardEntry] = connection.read(
            "ScorecardExchange",
            method="POST",
            body=_body_of(part),
            headers={"Prefer": "handling=lenient, correction=any" if any_correction else "handling=lenient"},
            expected=207,
        )
    except TooLargeError:
        if len(part) == 1:
            return [_refused(part[0], _TOO_LARGE)]
        # The response may be too large even if the request is not.
        half = (len(part) + 1) // 2
        return [
            *_submit(connection, part[:half], any_correction),
            *_submit(connection, part[half:], any_correction),
        ]
    for entry in entries:
        if entry["status"] == 201:
            cast(Any, entry).setdefault("warnings", [])
        _reindex(entry, part[entry["index"]].index)
    return entries


def _validate_requests(
    connection: Connection, requests: Iterable[Sequence[_Card]], *, players: bool, any_correction: bool
) -> Validation:
    every: Validation = {"accepted": True, "cards": []}
    path = f"ScorecardExchange/Validate{'?players=1' if players else ''}"
    for request in requests:
        validation: Validation = connection.read(
            path, method="POST", body=_body_of(request), headers=_preferring(any_correction)
        )
        every["accepted"] = every["accepted"] and validation["accepted"]
        more = validation.get("players")
        if more is not None:
            counts = cast(Any, every.setdefault("players", {"known": 0, "unknown": 0, "unanswered": 0}))
            for name in ("known", "unknown", "unanswered"):
                counts[name] += cast(Any, more)[name]
        for card in validation["cards"]:
            _reindex(card, request[card["index"]].index)
            every["cards"].append(card)
    return every


def _reindex(entry: Any, index: int) -> None:
    """Changes the index of a card and of its findings from that in the request to that among all cards."""
    for part in (entry, *entry.get("warnings", ()), *entry.get("errors", ())):
        part["index"] = index


def _refuse(api: str, faults: Sequence[Finding], cards: int) -> None:
    """:raises InvalidCardsError: as after a single request, if there are faults"""
    if not faults:
        return
    faulty = len({fault["index"] for fault in faults})
    problem = {
        "type": "urn:scorecards:problem:invalid-cards",
        "title": "Cards are refused",
        "status": 422,
        "detail": f"{faulty} of {cards} cards have faults, so none is submitted. Correct them and submit all again.",
        "errors": faults,
    }
    raise InvalidCardsError(api, 422, {}, json.dumps(problem))


def _repetition() -> Callable[[_Card], bool]:
    """Whether an earlier card has the same ExternalID. In two requests, the later one would correct the earlier."""
    seen: set[str] = set()

    def is_repeated(card: _Card) -> bool:
        if card.external_id is None:
            return False
        repeated = card.external_id in seen
        seen.add(card.external_id)
        return repeated

    return is_repeated


_REPEATED = {
    "pointer": "/ExternalID",
    "code": "duplicate_external_id",
    "detail": "An earlier card has the same ExternalID. Give each card its own.",
}
_TOO_LARGE = {
    "pointer": "",
    "code": "too_large",
    "detail": "This card alone exceeds the size limit of a submission. Make it smaller.",
}


def _finding(card: _Card, fault: dict[str, str]) -> Finding:
    name = {} if card.external_id is None else {"externalId": card.external_id}
    return cast(Finding, {"index": card.index, **name, **fault})


def _refused(card: _Card, fault: dict[str, str]) -> ScorecardEntry:
    name = {} if card.external_id is None else {"externalId": card.external_id}
    return cast(
        ScorecardEntry, {"index": card.index, **name, "status": 422, "errors": [_finding(card, fault)]}
    )


def _indexed(cards: Iterable[CardInput]) -> Iterator[_Card]:
    for index, card in enumerate(cards):
        parsed: object = card
        if isinstance(card, str):
            try:
                parsed = json.loads(card)
            except ValueError:
                parsed = None
        external_id = parsed.get("ExternalID") if isinstance(parsed, dict) else None
        yield _Card(index, _json_of(card), external_id if isinstance(external_id, str) else None)


def _json_of(card: CardInput) -> bytes:
    if isinstance(card, str):
        # Half of a character, which UTF-8 cannot have, is escaped as in any JSON text.
        return card.encode("utf-8", "backslashreplace")
    try:
        return json.dumps(card, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(card, allow_nan=False, separators=(",", ":")).encode()


def _body_of(cards: Sequence[_Card]) -> bytes:
    return b"[" + b",".join(card.json for card in cards) + b"]"


def in_requests(
    cards: Iterable[_Card], most_cards: int = MOST_CARDS, most_bytes: int = MOST_BYTES
) -> Iterator[list[_Card]]:
    """Groups cards into the largest requests that the API accepts. A card that is too large becomes a request of its own."""
    request: list[_Card] = []
    # Two bytes for the brackets of the array.
    size = 2
    for card in cards:
        more = len(card.json) + 1
        if request and (len(request) == most_cards or size + more > most_bytes):
            yield request
            request, size = [], 2
        request.append(card)
        size += more
    if request:
        yield request
