"""A vendor's access to the API."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from datetime import date, datetime, timezone
from threading import Event
from typing import Any
from urllib.parse import quote, urlencode

from .api_types import (
    Activity,
    CardRefusal,
    CardStatus,
    Club,
    Course,
    FeedPage,
    ListedCount,
    ListedState,
    Member,
    RecordedScorecard,
    ScorecardEntry,
    StartList,
    StartListInput,
    StoredScorecard,
    Tournament,
    TournamentCard,
    TournamentSummary,
    Validation,
)
from .connection import Connection, RememberedAnswer, Transport, base_address, send_once
from .follow import CONCURRENT_QUERIES, follow_cards, follow_events, queries_of
from .parallel import in_parallel
from .submit import (
    CardInput,
    StrictResult,
    SubmissionProgress,
    submit_all_or_none,
    submit_in_parts,
    validate_cards,
)
from .webhook_endpoints import WebhookEndpoints

Day = date | str
"""A day in the union's time zone, as a date or e.g. as `2026-07-04`."""


class Client(WebhookEndpoints):
    """A client for one vendor account. It may be used by several threads.

    Every method is retried while the API is busy or cannot be reached, after Retry-After if the response has it. It raises an
    ApiError if the API refuses, a NoResponseError if there is no response.

    >>> client = Client("https://HOST/test", "greens-app", password)  # doctest: +SKIP
    >>> entries = client.submit(cards)  # doctest: +SKIP
    """

    def __init__(
        self,
        api: str,
        username: str,
        password: str,
        *,
        api_set: str | None = None,
        retry_seconds: float = 120,
        timeout_seconds: float = 30,
        cache: MutableMapping[str, RememberedAnswer] | None = None,
        transport: Transport = send_once,
    ) -> None:
        """
        :param api: base address, `https://{host}/{stage}`, without the API set
        :param api_set: the vendor's name in every path; by default the user name
        :param retry_seconds: how long a request is retried while the API is busy or cannot be reached; 0 for never
        :param timeout_seconds: how long the server may be silent in one try
        :param cache: clubs and courses in it, by URL, are downloaded only if they have changed. By default nothing is kept
        :param transport: sends a request once; by default by the standard library
        :raises ValueError: if the base address is none
        """
        self._connection = Connection(
            api=base_address(api),
            username=username,
            password=password,
            api_set=username if api_set is None else api_set,
            retry_seconds=retry_seconds,
            timeout_seconds=timeout_seconds,
            cache=cache,
            transport=transport,
        )

    @property
    def api_set(self) -> str:
        """The vendor's name in every path."""
        return self._connection.api_set

    def retrying(self, seconds: float) -> Client:
        """The same client, but retrying for another time: `client.retrying(0).card("x")` asks once."""
        other = object.__new__(type(self))
        other._connection = self._connection.retrying(seconds)
        return other

    # Cards

    def submit(
        self,
        cards: Iterable[CardInput],
        *,
        parallel: int = 4,
        any_correction: bool = False,
        on_progress: Callable[[SubmissionProgress], None] | None = None,
    ) -> list[ScorecardEntry]:
        """Submits any number of cards. Valid ones are accepted even if others are not. Returns one entry a card, in order.

        :param parallel: requests at the same time
        :param any_correction: corrects delivered cards of another player and another day or course, too
        :param on_progress: called after each request
        """
        parts = self.submit_in_parts(
            cards, parallel=parallel, any_correction=any_correction, on_progress=on_progress
        )
        return sorted((entry for part in parts for entry in part), key=lambda entry: entry["index"])

    def submit_in_parts(
        self,
        cards: Iterable[CardInput],
        *,
        parallel: int = 4,
        any_correction: bool = False,
        on_progress: Callable[[SubmissionProgress], None] | None = None,
    ) -> Iterator[list[ScorecardEntry]]:
        """Like `submit`, for more cards than memory holds: yields entries as they come, with their card's `index`."""
        return submit_in_parts(
            self._connection, cards, parallel=parallel, any_correction=any_correction, on_progress=on_progress
        )

    def submit_all_or_none(self, cards: Iterable[CardInput], *, any_correction: bool = False) -> StrictResult:
        """Submits any number of cards, all or none.

        :raises InvalidCardsError: with all faults in `errors`, if a card has one
        """
        return submit_all_or_none(self._connection, cards, any_correction=any_correction)

    def validate(
        self, cards: Iterable[CardInput], *, players: bool = False, any_correction: bool = False
    ) -> Validation:
        """Tells how a submission of these cards would be answered, and explains each figure.

        :param players: asks the union whether it knows the players
        """
        return validate_cards(
            self._connection, cards, players=players, any_correction=any_correction
        )

    def statuses(self, external_ids: Iterable[str]) -> list[CardStatus]:
        """States of any number of cards, in order; `refused` or `unknown` for a card that was never accepted."""
        queries = list(enumerate(queries_of(list(external_ids))))
        stop = Event()
        connection = self._connection.stopped_by(stop)
        answers = in_parallel(
            queries, CONCURRENT_QUERIES, stop, lambda query: (query[0], _read_statuses(connection, query[1]))
        )
        return [status for _, statuses in sorted(answers, key=lambda one: one[0]) for status in statuses]

    def card(self, external_id: str) -> StoredScorecard:
        """A card as it is stored and delivered, with each figure explained.

        :raises NotFoundError: if there is no such card
        :raises GoneError: if its player was erased
        """
        card: StoredScorecard = self._connection.read(f"{_card_path(external_id)}/Card")
        return card

    def cards_in_state(self, state: ListedState) -> Iterator[CardStatus]:
        """Cards that need attention, newest first; of withdrawn ones those that the exchange has, or may have."""
        return self._pages("ScorecardExchange", _query(state=state), "cards")

    def cards_of_days(
        self, from_day: Day, to_day: Day | None = None, *, counted: ListedCount | None = None
    ) -> Iterator[CardStatus]:
        """All cards that were accepted on some days, in the order of their acceptance; until today if `to_day` is left out.

        :param counted: only cards that Activity counted so on the days, whenever they were accepted
        """
        return self._pages("ScorecardExchange", _days(from_day, to_day, counted=counted), "cards")

    def follow(
        self,
        external_ids: Iterable[str],
        *,
        timeout_seconds: float = math.inf,
        longest_pause_seconds: float = 5,
    ) -> Iterator[CardStatus]:
        """Follows cards until each is delivered, rejected, withdrawn, undelivered, refused or unknown. Yields each change of state.

        :param timeout_seconds: ends after this time even if cards are not settled
        :param longest_pause_seconds: between two requests
        """
        once = self._connection.retrying(0)
        return follow_cards(
            self._connection,
            lambda query: _read_statuses(once, query),
            external_ids,
            timeout_seconds=timeout_seconds,
            longest_pause_seconds=longest_pause_seconds,
        )

    def withdraw(self, external_id: str) -> None:
        """Withdraws a card. To correct one, submit it again with the same ExternalID.

        :raises ConflictError: if the exchange has it or may have it
        :raises NotFoundError: if there is no such card
        """
        self._connection.send(_card_path(external_id), method="DELETE", expected=204)

    def deliver(self, external_id: str) -> CardStatus:
        """Tries a waiting card at once, and sends an undelivered one on."""
        path = f"{_card_path(external_id)}/Delivery"
        status: CardStatus = self._connection.read(path, method="POST", expected=202)
        return status

    # What has happened

    def activity(self, from_day: Day | None = None, to_day: Day | None = None) -> Activity:
        """Counts by hour and day, refusals, delivery times, and the cards that wait and why; of today if days are left out."""
        activity: Activity = self._connection.read(f"Activity{_days(from_day, to_day)}")
        return activity

    def refusals(
        self,
        from_day: Day | None = None,
        to_day: Day | None = None,
        *,
        code: str | None = None,
        external_id: str | None = None,
    ) -> Iterator[CardRefusal]:
        """Every fault of the cards that were refused on some days, the newest submission first.

        :param code: only this fault, see docs/faults.md
        """
        query = _days(from_day, to_day, code=code, externalId=external_id)
        return self._pages("Refusals", query, "refusals")

    def tournaments(
        self, from_day: Day | None = None, to_day: Day | None = None
    ) -> Iterator[TournamentSummary]:
        """Tournaments of some days of play, the latest day first; of the last 31 days if none are given."""
        return self._pages("Tournaments", _days(from_day, to_day), "tournaments")

    def tournament(
        self, tournament: str, from_day: Day | None = None, to_day: Day | None = None
    ) -> Tournament:
        """What became of a tournament's cards.

        :param tournament: its name as the cards have it, or its ID
        :raises NotFoundError: if no card of it was sent
        """
        found: Tournament = self._connection.read(_tournament_path(tournament) + _days(from_day, to_day))
        return found

    def tournament_cards(
        self, tournament: str, from_day: Day | None = None, to_day: Day | None = None
    ) -> Iterator[TournamentCard]:
        """The accepted cards of a tournament, with their results as they were sent."""
        return self._pages(f"{_tournament_path(tournament)}/Scorecards", _days(from_day, to_day), "cards")

    def put_start_list(
        self, tournament: str, start_list: StartListInput, from_day: Day, to_day: Day | None = None
    ) -> StartList:
        """Keeps the players whose cards of a tournament are expected, in place of its earlier lists of these days.

        ``tournament`` then says whose card is missing.

        :raises ApiError: with status 422 and all faults in ``problem["players"]``
        """
        path = f"{_tournament_path(tournament)}/Players{_days(from_day, to_day)}"
        kept: StartList = self._connection.read(path, method="PUT", body=json.dumps(start_list).encode())
        return kept

    def remove_start_list(self, tournament: str, from_day: Day, to_day: Day | None = None) -> None:
        """Removes a tournament's start lists of some days.

        :raises NotFoundError: if there is none
        """
        path = f"{_tournament_path(tournament)}/Players{_days(from_day, to_day)}"
        self._connection.send(path, method="DELETE", expected=204)

    def events(self, after: str | None = None) -> FeedPage:
        """One page of the events after a cursor, without waiting.

        :param after: the `cursor` of a page before, `latest`, or the oldest event if left out
        """
        return _read_events(self._connection, after)

    def follow_events(self, after: str | None = None) -> Iterator[FeedPage]:
        """Yields pages of events, the oldest first, and goes on with what comes later, without an end.

        Store a page's `cursor` when its events are done with, and begin with it next time. Errors of the API or the network are
        retried without end.

        :raises GoneError: if the cursor is too old
        """
        patient = self._connection.retrying(math.inf)
        return follow_events(patient, lambda cursor: _read_events(patient, cursor), after)

    # Clubs, courses and members

    def clubs(self) -> list[Club]:
        """All clubs."""
        clubs: list[Club] = self._connection.read("Clubs")
        return clubs

    def club(self, club_id: str) -> Club:
        """One club."""
        club: Club = self._connection.read(f"Clubs/{quote(club_id, safe='')}")
        return club

    def courses(
        self,
        club_id: str,
        *,
        changed_since: datetime | str | None = None,
        active: bool | None = None,
        sort: str | None = None,
        sort_tee: str | None = None,
        without_tees: bool = False,
        in_force: str | None = None,
    ) -> list[Course]:
        """Versions of a club's courses. See docs/courses.md.

        :param changed_since: versions that changed since; a datetime, or `yyyymmddThhmmss` in the union's time zone or in UTC
        :param sort: `Name:0,Version:1`: 0 ascending, 1 descending
        :param in_force: only the versions in force then; `yyyymmddThhmmss`, local time of the union
        """
        query = _courses_query(changed_since, active, sort, sort_tee, without_tees, in_force)
        courses: list[Course] = self._connection.read(f"clubs/{quote(club_id, safe='')}/courses{query}")
        return courses

    def course(
        self,
        club_id: str,
        course_id: str,
        *,
        changed_since: datetime | str | None = None,
        active: bool | None = None,
        sort_tee: str | None = None,
        without_tees: bool = False,
        in_force: str | None = None,
    ) -> Course:
        """A version of a course.

        :param course_id: ID of a version, or a TemplateID
        """
        query = _courses_query(changed_since, active, None, sort_tee, without_tees, in_force)
        path = f"clubs/{quote(club_id, safe='')}/courses/{quote(course_id, safe='')}{query}"
        course: Course = self._connection.read(path)
        return course

    def golfer(
        self, *, lifetime_id: str | None = None, union_id: str | None = None, token: str | None = None
    ) -> Member:
        """Looks a member up, by one number or both.

        :param token: the player's access token from the union's login, if there is one
        """
        query = _query(lifetimeID=lifetime_id, unionID=union_id)
        member: Member = self._connection.read(f"Clubs/Golfer{query}", headers=_token_header(token))
        return member

    def golfer_by_token(self, token: str) -> Member:
        """The member who consented."""
        member: Member = self._connection.read("clubs/Golfer_ByAccessToken", headers=_token_header(token))
        return member

    def player_record(self, club_id: str, union_id: str) -> list[RecordedScorecard]:
        """The rounds of a player's record at the union.

        :param union_id: the player's in this club
        """
        path = f"clubs/{quote(club_id, safe='')}/Memberships/Scorecards{_query(unionid=union_id)}"
        record: list[RecordedScorecard] = self._connection.read(path)
        return record

    def _pages(self, path: str, query: str, name: str) -> Iterator[Any]:
        page: str | None = query
        while page is not None:
            answer = self._connection.read(path + page)
            yield from answer[name]
            page = answer.get("next")


def _read_statuses(connection: Connection, external_ids: Sequence[str]) -> list[CardStatus]:
    query = urlencode([("ExternalID", one) for one in external_ids], errors="surrogatepass")
    statuses: list[CardStatus] = connection.read(f"ScorecardExchange?{query}")["cards"]
    return statuses


def _read_events(connection: Connection, after: str | None) -> FeedPage:
    page: FeedPage = connection.read(f"Events{_query(after=after)}")
    return page


def _card_path(external_id: str) -> str:
    return f"ScorecardExchange/{quote(external_id, safe='')}"


def _tournament_path(tournament: str) -> str:
    return f"Tournaments/{quote(tournament, safe='')}"


def _query(**values: str | None) -> str:
    given = {name: value for name, value in values.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _days(from_day: Day | None, to_day: Day | None, **others: str | None) -> str:
    days = {"from": _day(from_day), "to": _day(to_day)}
    return _query(**days, **others)


def _day(day: Day | None) -> str | None:
    if isinstance(day, datetime):
        return day.date().isoformat()
    return day.isoformat() if isinstance(day, date) else day


def _courses_query(
    changed_since: datetime | str | None,
    active: bool | None,
    sort: str | None,
    sort_tee: str | None,
    without_tees: bool,
    in_force: str | None,
) -> str:
    if isinstance(changed_since, datetime):
        changed_since = changed_since.astimezone(timezone.utc).strftime("%Y%m%dT%H%M%S")
    return _query(
        changedsince=changed_since,
        active=None if active is None else str(int(active)),
        sort=sort,
        sortTee=sort_tee,
        excludeParams="tees" if without_tees else None,
        inforce=in_force,
    )


def _token_header(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Token": token}
