"""Every type of the API.

Generated from the OpenAPI document by `npm run client:types`. Change that document instead.
"""
# A line of a description is as long as it is there.
# ruff: noqa: E501

from __future__ import annotations

from typing import Any, Literal, TypedDict


class _ClubRequired(TypedDict):
    ID: str
    UnionNumber: int
    Name: str
    ShortName: str


class Club(_ClubRequired, total=False):
    AddressLine1: str | None
    AddressLine2: str | None
    StreetNumber: str | None
    Floor: str | None
    Side: str | None
    ZipCode: str | None
    City: str | None
    PrimaryPhone: str | None
    PrimaryEmail: str | None
    Homepage: str | None


class _CourseRequired(TypedDict):
    TemplateID: str
    ClubID: str
    Name: str
    NumberOfHoles: int
    ActivationDate: str
    IsActive: bool
    IsHcpQualifying: bool
    IsVisible: bool
    Version: int
    ID: str
    Tees: list[Tee]


class Course(_CourseRequired, total=False):
    ExternalID: str | None
    RatedCourse: str | None
    Created: str | None


class _TeeRequired(TypedDict):
    Name: str
    Gender: int
    """1 female, 2 male; not reliable."""
    TotalLength: int
    CourseRating: ScaledNumber
    SlopeRating: int
    IsNineHole: bool
    Holes: list[Hole]


class Tee(_TeeRequired, total=False):
    ID: str


class _HoleRequired(TypedDict):
    Number: int
    Par: int
    Index: int | None
    Length: int


class Hole(_HoleRequired, total=False):
    Name: str | None
    IdealTime: int | None


class _MemberRequired(TypedDict):
    ID: str
    LifeTimeID: str
    FirstName: str
    LastName: str
    Gender: str
    BirthDate: str
    RightToPlay: bool
    Status: int
    """1 amateur, 2 professional."""
    Handicap: ScaledNumber
    """Handicap Index times 10,000."""
    HandicapStatus: int
    """1 active, 2 inactive, 3 normal, 4 frozen, 5 frozen up, 6 frozen down, 8 suspended, 9 unallocated."""
    Memberships: list[Membership]


class Member(_MemberRequired, total=False):
    PlayerStatus: int
    Email: str | None
    HandicapDato: str | None


class Membership(TypedDict):
    ID: str
    IsHomeClub: bool
    LocalRightToPlay: bool
    Type: int
    """1 full, 2 flex, 3 long distance, 4 trial, 5 passive, 6 junior without course permission, 7 former."""
    UnionID: str
    Club: MembershipClub
    HomeClub: MembershipClub


class MembershipClub(TypedDict):
    ID: str
    Name: str
    ShortName: str
    UnionNumber: int


class _RecordedScorecardRequired(TypedDict):
    Round: RecordedScorecardRound
    Result: RecordedScorecardResult


class RecordedScorecard(_RecordedScorecardRequired, total=False):
    HCP: ScaledNumber | None
    """Handicap Index of the round, times 10,000."""
    Course: RecordedScorecardCourse | None


class RecordedScorecardCourse(TypedDict, total=False):
    Name: str | None
    TeePar: NumberOrText | None
    TeeRating: ScaledNumber | None
    """Course rating times 10,000."""
    TeeSlope: NumberOrText | None


class _RecordedScorecardRoundRequired(TypedDict):
    StartTime: str
    """Time in the union's time zone."""


class RecordedScorecardRound(_RecordedScorecardRoundRequired, total=False):
    HolesPlayed: NumberOrText | None


class RecordedScorecardResult(TypedDict, total=False):
    IsQualifying: bool | None
    SGD: ScaledNumber | None
    """Score Differential that the union calculated, times 10,000; absent if it calculated none."""
    TotalPoints: NumberOrText | None
    TotalStrokes: NumberOrText | None


class _ScorecardRequired(TypedDict):
    CreateDateTime: str
    ExternalID: str
    """A name of your own for the card, at most 256 UTF-16 units."""
    HCP: HandicapIndexNumber
    """Handicap Index times 10,000."""
    CourseHandicap: int
    Course: ScorecardCourse
    Round: ScorecardRound
    Result: ScorecardResult
    Player: ScorecardPlayer
    Marker: ScorecardMarker


class Scorecard(_ScorecardRequired, total=False):
    ID: str | None
    """If left out, it is filled in from the card's other fields."""
    PHCP: int | None
    """Playing Handicap. If left out, it is filled in from the card's other fields."""
    Comment: str | None


class _FilledScorecardRequired(TypedDict):
    ID: str
    """If left out, it is filled in from the card's other fields."""
    CreateDateTime: str
    ExternalID: str
    """A name of your own for the card, at most 256 UTF-16 units."""
    HCP: HandicapIndexNumber
    """Handicap Index times 10,000."""
    CourseHandicap: int
    PHCP: int
    """Playing Handicap. If left out, it is filled in from the card's other fields."""
    Course: FilledScorecardCourse
    Round: ScorecardRound
    Result: FilledScorecardResult
    Player: FilledScorecardPlayer
    Marker: FilledScorecardMarker


class FilledScorecard(_FilledScorecardRequired, total=False):
    """A scorecard with its ID and every derived field filled in."""

    Comment: str | None


class _AcceptedEntryRequired(TypedDict):
    index: int
    externalId: str
    status: Literal[201]
    card: FilledScorecard
    contentHash: str
    """Opaque; the same for the same content as it was sent, in any order of its fields. Compare a card's with Validate's."""
    warnings: list[Finding]


class AcceptedEntry(_AcceptedEntryRequired, total=False):
    corrects: CardCorrection


class _RefusedEntryRequired(TypedDict):
    index: int
    status: Literal[422]
    errors: list[Finding]


class RefusedEntry(_RefusedEntryRequired, total=False):
    externalId: str


class _ValidationRequired(TypedDict):
    accepted: bool
    cards: list[ValidationEntry]


class Validation(_ValidationRequired, total=False):
    players: PlayerCounts


class _ValidEntryRequired(TypedDict):
    index: int
    externalId: str
    status: Literal[201]
    contentHash: str
    """Opaque; the same for the same content as it was sent, in any order of its fields. Compare a card's with Validate's."""
    warnings: list[Finding]


class ValidEntry(_ValidEntryRequired, total=False):
    card: FilledScorecard
    """Not with `Prefer: return=minimal`."""
    corrects: CardCorrection
    derivation: Derivation


class _InvalidEntryRequired(TypedDict):
    index: int
    status: Literal[422]
    errors: list[Finding]
    warnings: list[Finding]


class InvalidEntry(_InvalidEntryRequired, total=False):
    externalId: str
    errorsLeftOut: int


class PlayerCounts(TypedDict):
    """With `players`: how many players of the valid cards the union knows, does not know, and gave no answer about."""

    known: int
    unknown: int
    unanswered: int


class Derivation(TypedDict):
    courseHandicap: int
    courseHandicapByRule: list[int]
    """Calculated from HCP, TeeRating, TeeSlope and TeePar: one number, or two on nine holes if half of HCP rounded and the exact half do not give the same."""
    playingHandicap: int
    nineHoles: list[int] | None
    """The nine holes that handicap strokes are allocated to in a nine-hole round on an 18-hole tee; else null."""
    holes: list[HoleDerivation]
    totalPoints: int
    totalStrokes: int
    """0 after any pick-up."""
    netDoubleBogeyGross: int | None
    scoreDifferential: int | None
    """113 / TeeSlope x (netDoubleBogeyGross - TeeRating), to a tenth and times 10,000, without the Playing Conditions Calculation; null unless all of 18 holes were played on a rated tee."""


class HoleDerivation(TypedDict):
    number: int
    par: int
    strokeIndex: int
    strokes: int
    """0 picked up, -1 not played."""
    receivedOffPlayingHandicap: int
    receivedOffCourseHandicap: int
    points: int
    maximum: int
    """Net double bogey, never more than par + 5."""
    counted: int | None
    """Null if the hole was not played."""


class _CardStatusRequired(TypedDict):
    externalId: str
    state: Literal["queued", "retrying", "delivered", "rejected", "withdrawing", "withdrawn", "undelivered", "refused", "unknown"]
    """`refused` if no such card has been accepted and one was refused in the last 31 days; `unknown` if there was none."""


class CardStatus(_CardStatusRequired, total=False):
    version: int
    """Counts contents, withdrawals, and how often a rejected or undelivered card was sent on: of two statuses the one with the higher version is later."""
    id: str
    """The card's ID at the union."""
    contentHash: str
    """Opaque; the same for the same content as it was sent, in any order of its fields. Compare a card's with Validate's."""
    acceptedAt: str
    since: str
    """When the state was recorded."""
    attempts: int
    """Posts to the exchange so far."""
    arrival: Literal["onDayOfPlay", "late"]
    """Whether a delivered card was there before midnight of its day of play, in the union's time zone; absent if that was not recorded."""
    lastError: DeliveryError
    nextAttemptAt: str
    """The card is not tried before; once this has passed, it waits for its turn."""
    paused: DeliveryPause
    maybeDelivered: Literal[True]
    """The card is not delivered, but the exchange has it, or may have it, perhaps in an earlier content."""
    warnings: list[Finding]
    corrects: CardCorrection
    requestId: str
    """Of a refused card: the submission's header x-amzn-RequestId."""
    errors: list[Finding]
    """Of a refused card: its faults in the last submission."""
    record: CardRecord
    earlier: list[CardOutcome]
    """Outcomes of the cards that this one corrects, the latest last."""


class _CardStatusListRequired(TypedDict):
    cards: list[CardStatus]


class CardStatusList(_CardStatusListRequired, total=False):
    next: str
    """Query of the next page; absent on the last."""


class _WebhookRequired(TypedDict):
    id: str
    url: str
    """Where events are posted to, or a queue's URL."""
    types: list[str]
    """The events that are sent; others may be added at any time."""
    createdAt: str
    pending: int
    """Events that wait to be posted, or to be posted again; for a queue at most 1000 of the feed are counted."""
    state: Literal["active", "failing", "disabled"]


class Webhook(_WebhookRequired, total=False):
    roleArn: str
    """Set for a queue: the role that sends to it."""
    headers: list[str]
    """Names of your own headers. Their values are not shown."""
    lastTakenAt: str
    """When it took an event last; up to a minute late. Absent if it never did."""
    failing: WebhookFailure
    disabled: WebhookDisabled


class _CreatedWebhookRequired(TypedDict):
    id: str
    url: str
    """Where events are posted to, or a queue's URL."""
    types: list[str]
    """The events that are sent; others may be added at any time."""
    createdAt: str
    pending: int
    """Events that wait to be posted, or to be posted again; for a queue at most 1000 of the feed are counted."""
    state: Literal["active", "failing", "disabled"]
    secret: str
    """`whsec_` and base64. It is shown once: store it."""


class CreatedWebhook(_CreatedWebhookRequired, total=False):
    roleArn: str
    """Set for a queue: the role that sends to it."""
    headers: list[str]
    """Names of your own headers. Their values are not shown."""
    lastTakenAt: str
    """When it took an event last; up to a minute late. Absent if it never did."""
    failing: WebhookFailure
    disabled: WebhookDisabled


class WebhookList(TypedDict):
    webhooks: list[Webhook]
    queues: QueueAccess


class QueueAccess(TypedDict):
    """What the role of a queue in your own AWS account has to trust."""

    principal: str
    """Our AWS account: the principal of the role's trust policy."""
    externalId: str
    """Yours alone: the condition `sts:ExternalId` of the role's trust policy."""
    roleNamePrefix: str
    """The role's name begins with this."""


class _WebhookInputRequired(TypedDict):
    url: str
    """https, at an address that everybody can reach; on the local run also http at 127.0.0.1. With `roleArn`, the URL of an SQS queue."""


class WebhookInput(_WebhookInputRequired, total=False):
    roleArn: str
    """Makes the endpoint a queue of your own AWS account: the role there that may send to it."""
    types: list[Literal["scorecard.delivered", "scorecard.rejected", "scorecard.undelivered", "scorecard.withdrawn", "scorecard.warned", "scorecard.player_unknown", "scorecard.recorded", "scorecard.not_recorded", "delivery.paused", "delivery.resumed", "scorecards.unsent", "endpoint.failing", "endpoint.disabled", "endpoint.recovered"]]
    """All events if left out."""
    headers: dict[str, str]
    """Headers of your own, such as an API key: at most 10, 2000 characters together. Not those that we set, and none of a connection. To a queue at most 7, as attributes."""


class WebhookChange(TypedDict, total=False):
    url: str
    """https, at an address that everybody can reach; on the local run also http at 127.0.0.1. With `roleArn`, the URL of an SQS queue."""
    roleArn: str
    """Makes the endpoint a queue of your own AWS account: the role there that may send to it."""
    types: list[Literal["scorecard.delivered", "scorecard.rejected", "scorecard.undelivered", "scorecard.withdrawn", "scorecard.warned", "scorecard.player_unknown", "scorecard.recorded", "scorecard.not_recorded", "delivery.paused", "delivery.resumed", "scorecards.unsent", "endpoint.failing", "endpoint.disabled", "endpoint.recovered"]]
    headers: dict[str, str]
    """Headers of your own, such as an API key: at most 10, 2000 characters together. Not those that we set, and none of a connection. To a queue at most 7, as attributes."""
    enabled: bool


class _WebhookFailureRequired(TypedDict):
    since: str
    failures: int
    """Failed posts in a row."""
    nextAttemptAt: str
    """When the first of the events that wait is posted, unless a new one comes before."""
    message: str


class WebhookFailure(_WebhookFailureRequired, total=False):
    """Present while the endpoint takes nothing: since when, why, and when it is tried again."""

    status: int
    """HTTP status of the endpoint, if it answered."""


class WebhookDisabled(TypedDict):
    at: str
    why: Literal["gone", "failed_for_days", "by_vendor"]
    """`gone`: it answered 410; `failed_for_days`: it took nothing for three days."""


class WebhookDispatch(TypedDict):
    eventId: str
    """The event's ID, as in the header webhook-id."""


class _WebhookAttemptRequired(TypedDict):
    id: str
    at: str
    milliseconds: int
    """How long the endpoint took."""
    eventId: str
    """The event's ID, as in the header webhook-id."""
    taken: bool


class WebhookAttempt(_WebhookAttemptRequired, total=False):
    type: str
    """Type of the event; absent if it was too large to keep."""
    cards: int
    """Number of cards in the event."""
    status: int
    """HTTP status of the endpoint, if it answered."""
    message: str
    """Why it did not take the event."""


class WebhookAttemptList(TypedDict):
    attempts: list[WebhookAttempt]


class _WebhookAttemptDetailRequired(TypedDict):
    id: str
    at: str
    milliseconds: int
    """How long the endpoint took."""
    eventId: str
    """The event's ID, as in the header webhook-id."""
    taken: bool


class WebhookAttemptDetail(_WebhookAttemptDetailRequired, total=False):
    type: str
    """Type of the event; absent if it was too large to keep."""
    cards: int
    """Number of cards in the event."""
    status: int
    """HTTP status of the endpoint, if it answered."""
    message: str
    """Why it did not take the event."""
    event: WebhookEvent


WebhookReplayInput = TypedDict(
    "WebhookReplayInput",
    {
        "from": 'str',
        "to": 'str',
        "types": 'list[Literal["scorecard.delivered", "scorecard.rejected", "scorecard.undelivered", "scorecard.withdrawn", "scorecard.warned", "scorecard.player_unknown", "scorecard.recorded", "scorecard.not_recorded", "delivery.paused", "delivery.resumed", "scorecards.unsent", "endpoint.failing", "endpoint.disabled", "endpoint.recovered"]]',
        "preview": 'bool',
        "after": 'str',
    },
    total=False,
)


class WebhookSecret(TypedDict):
    secret: str
    """`whsec_` and base64. It is shown once: store it."""


class _WebhookReplayRequired(TypedDict):
    cards: int
    """Cards, each once; a card can be in several events."""


class WebhookReplay(_WebhookReplayRequired, total=False):
    next: str
    """Set if there are more: repeat the request with it as `after`."""


class ScorecardDeliveredEvent(TypedDict):
    """The exchange has taken these cards."""

    type: Literal["scorecard.delivered"]
    timestamp: str
    """When it happened."""
    data: CardsEventData


class ScorecardRejectedEvent(TypedDict):
    """The exchange has refused these cards; `lastError` says why."""

    type: Literal["scorecard.rejected"]
    timestamp: str
    """When it happened."""
    data: CardsEventData


class ScorecardUndeliveredEvent(TypedDict):
    """These cards were given up after days of attempts; `lastError` says why."""

    type: Literal["scorecard.undelivered"]
    timestamp: str
    """When it happened."""
    data: CardsEventData


class ScorecardWithdrawnEvent(TypedDict):
    """These cards were withdrawn; `maybeDelivered` says that the exchange may have one after all."""

    type: Literal["scorecard.withdrawn"]
    timestamp: str
    """When it happened."""
    data: CardsEventData


class ScorecardWarnedEvent(TypedDict):
    """Something was found about the players, markers or rounds of these delivered cards: `found` says what, `warnings` what to do."""

    type: Literal["scorecard.warned"]
    timestamp: str
    """When it happened."""
    data: CardsEventData


class ScorecardPlayerUnknownEvent(TypedDict):
    """The union does not know the players of these delivered cards."""

    type: Literal["scorecard.player_unknown"]
    timestamp: str
    """When it happened."""
    data: CardsEventData


class ScorecardRecordedEvent(TypedDict):
    """These delivered cards are in the players' records."""

    type: Literal["scorecard.recorded"]
    timestamp: str
    """When it happened."""
    data: CardsEventData


class ScorecardNotRecordedEvent(TypedDict):
    """These delivered cards are not in the players' records after three days."""

    type: Literal["scorecard.not_recorded"]
    timestamp: str
    """When it happened."""
    data: CardsEventData


class DeliveryPausedEvent(TypedDict):
    """Nothing can be delivered for you: since when, and why."""

    type: Literal["delivery.paused"]
    timestamp: str
    """When it happened."""
    data: PauseEventData


class DeliveryResumedEvent(TypedDict):
    """Cards are delivered again; `paused` says why they were not."""

    type: Literal["delivery.resumed"]
    timestamp: str
    """When it happened."""
    data: PauseEventData


class ScorecardsUnsentEvent(TypedDict):
    """Cards wait shortly before midnight."""

    type: Literal["scorecards.unsent"]
    timestamp: str
    """When it happened."""
    data: UnsentEventData


class EndpointFailingEvent(TypedDict):
    """A webhook endpoint of yours has taken nothing for an hour."""

    type: Literal["endpoint.failing"]
    timestamp: str
    """When it happened."""
    data: EndpointEventData


class EndpointDisabledEvent(TypedDict):
    """A webhook endpoint of yours was disabled: it is gone, or took nothing for three days."""

    type: Literal["endpoint.disabled"]
    timestamp: str
    """When it happened."""
    data: EndpointEventData


class EndpointRecoveredEvent(TypedDict):
    """A webhook endpoint that you were told of takes events again."""

    type: Literal["endpoint.recovered"]
    timestamp: str
    """When it happened."""
    data: EndpointEventData


class WebhookTestEvent(TypedDict):
    """You asked for it."""

    type: Literal["webhook.test"]
    timestamp: str
    """When it happened."""
    data: TestEventData


class CardsEventData(TypedDict):
    apiSet: str
    cards: list[EventCard]
    """Up to a hundred."""


class PauseEventData(TypedDict):
    apiSet: str
    paused: DeliveryPause


class _UnsentEventDataRequired(TypedDict):
    apiSet: str
    unsent: UnsentCards


class UnsentEventData(_UnsentEventDataRequired, total=False):
    paused: DeliveryPause


class EndpointEventData(TypedDict):
    apiSet: str
    endpoint: ToldEndpoint


class TestEventData(TypedDict):
    apiSet: str


class _EventCardRequired(TypedDict):
    externalId: str
    state: Literal["queued", "retrying", "delivered", "rejected", "withdrawing", "withdrawn", "undelivered", "refused", "unknown"]
    """`refused` if no such card has been accepted and one was refused in the last 31 days; `unknown` if there was none."""


class EventCard(_EventCardRequired, total=False):
    """A card's state, as it is read, without its hash."""

    version: int
    """Counts contents, withdrawals, and how often a rejected or undelivered card was sent on: of two statuses the one with the higher version is later."""
    id: str
    """The card's ID at the union."""
    acceptedAt: str
    since: str
    """When the state was recorded."""
    attempts: int
    """Posts to the exchange so far."""
    arrival: Literal["onDayOfPlay", "late"]
    """Whether a delivered card was there before midnight of its day of play, in the union's time zone; absent if that was not recorded."""
    lastError: DeliveryError
    nextAttemptAt: str
    """The card is not tried before; once this has passed, it waits for its turn."""
    paused: DeliveryPause
    maybeDelivered: Literal[True]
    """The card is not delivered, but the exchange has it, or may have it, perhaps in an earlier content."""
    warnings: list[Finding]
    corrects: CardCorrection
    record: CardRecord
    earlier: list[CardOutcome]
    """Outcomes of the cards that this one corrects, the latest last."""
    found: list[str]
    """Of `scorecard.warned`: the codes of the warnings that were found now."""


class _UnsentCardsRequired(TypedDict):
    day: str
    """The day that ends, in the union's time zone."""
    cards: int
    """Cards that wait."""
    acceptedToday: int
    """Those of them that were accepted on this day."""


class UnsentCards(_UnsentCardsRequired, total=False):
    since: str
    """Beginning of the hour in which the oldest of them was accepted."""


class _ToldEndpointRequired(TypedDict):
    id: str
    """The endpoint's ID."""


class ToldEndpoint(_ToldEndpointRequired, total=False):
    since: str
    """Since when it had taken nothing; absent if it was disabled at once."""
    failures: int
    """Failed posts in a row."""
    status: int
    """HTTP status of the endpoint, if it answered."""
    message: str
    """Why it did not take the last event."""
    why: Literal["gone", "failed_for_days"]
    """Why it was disabled: it answered 410, or took nothing for three days."""


Activity = TypedDict(
    "Activity",
    {
        "from": 'str',
        "to": 'str',
        "timeZone": 'str',
        "waiting": 'WaitingCards',
        "totals": 'ActivityCounts',
        "days": 'list[ActivityDay]',
        "hours": 'list[ActivityHour]',
        "warnings": 'list[TournamentWarning]',
        "refusals": 'list[Refusal]',
    },
)


class _ActivityCountsRequired(TypedDict):
    accepted: int
    """New cards."""
    refused: int
    """Cards with a fault; each counts once, however many it has."""
    corrected: int
    """Other contents of cards that were there."""
    resent: int
    """Contents that were submitted or sent on again after they were given up, rejected or withdrawn."""
    withdrawn: int
    delivered: int
    onDayOfPlay: int
    """Delivered before midnight of the day on which the round was played."""
    late: int
    """Delivered later than that."""
    rejected: int
    undelivered: int
    warned: int
    """Delivered cards about whose player, marker or round something was found afterwards."""
    playersUnknown: int
    """Delivered cards of players whom the union did not know."""
    recorded: int
    """Delivered cards that are in the player's record at the union."""
    notRecorded: int
    """Delivered cards that are not in it, although they were looked for several times."""


class ActivityCounts(_ActivityCountsRequired, total=False):
    deliverySeconds: DeliverySeconds


class _ActivityDayRequired(TypedDict):
    day: str
    accepted: int
    """New cards."""
    refused: int
    """Cards with a fault; each counts once, however many it has."""
    corrected: int
    """Other contents of cards that were there."""
    resent: int
    """Contents that were submitted or sent on again after they were given up, rejected or withdrawn."""
    withdrawn: int
    delivered: int
    onDayOfPlay: int
    """Delivered before midnight of the day on which the round was played."""
    late: int
    """Delivered later than that."""
    rejected: int
    undelivered: int
    warned: int
    """Delivered cards about whose player, marker or round something was found afterwards."""
    playersUnknown: int
    """Delivered cards of players whom the union did not know."""
    recorded: int
    """Delivered cards that are in the player's record at the union."""
    notRecorded: int
    """Delivered cards that are not in it, although they were looked for several times."""


class ActivityDay(_ActivityDayRequired, total=False):
    deliverySeconds: DeliverySeconds


class _ActivityHourRequired(TypedDict):
    start: str
    accepted: int
    """New cards."""
    refused: int
    """Cards with a fault; each counts once, however many it has."""
    corrected: int
    """Other contents of cards that were there."""
    resent: int
    """Contents that were submitted or sent on again after they were given up, rejected or withdrawn."""
    withdrawn: int
    delivered: int
    onDayOfPlay: int
    """Delivered before midnight of the day on which the round was played."""
    late: int
    """Delivered later than that."""
    rejected: int
    undelivered: int
    warned: int
    """Delivered cards about whose player, marker or round something was found afterwards."""
    playersUnknown: int
    """Delivered cards of players whom the union did not know."""
    recorded: int
    """Delivered cards that are in the player's record at the union."""
    notRecorded: int
    """Delivered cards that are not in it, although they were looked for several times."""


class ActivityHour(_ActivityHourRequired, total=False):
    deliverySeconds: DeliverySeconds


class DeliverySeconds(TypedDict):
    """From accepting a card to recording its delivery, to within a quarter."""

    half: float
    """Half of the cards were delivered in this time."""
    most: float
    """95 % of the cards were delivered in this time."""


class _WaitingCardsRequired(TypedDict):
    cards: int


class WaitingCards(_WaitingCardsRequired, total=False):
    """Cards that have no outcome yet, whenever they were accepted."""

    since: str
    """Beginning of the hour in which the oldest of them was accepted."""
    paused: DeliveryPause


class Refusal(TypedDict):
    code: str
    """One of the faults in docs/faults.md; others may be added at any time."""
    cards: int
    examples: list[RefusalExample]
    """Some of them, the newest first."""


class _RefusalExampleRequired(TypedDict):
    pointer: str
    """JSON pointer into the card; empty for the whole card."""
    at: str


class RefusalExample(_RefusalExampleRequired, total=False):
    externalId: str
    """Absent if the card had none that can be read."""


class _CardRefusalRequired(TypedDict):
    at: str
    """When the submission was refused."""
    requestId: str
    """The submission's header x-amzn-RequestId."""
    index: int
    """Index of the card in the array, from 0."""
    pointer: str
    """JSON pointer into the card; empty for the whole card."""
    code: str
    """One of those in docs/faults.md; others may be added at any time."""
    detail: str
    """What is wrong and what to change."""


class CardRefusal(_CardRefusalRequired, total=False):
    tournament: RefusalTournament
    externalId: str
    expected: Any
    """What would be right: any JSON value."""
    received: Any
    """What was sent: any JSON value."""


class _CardRefusalListRequired(TypedDict):
    refusals: list[CardRefusal]


class CardRefusalList(_CardRefusalListRequired, total=False):
    next: str
    """Query of the next page; absent on the last. A page of a search can be empty and have one."""


_TournamentRequired = TypedDict(
    "_TournamentRequired",
    {
        "id": 'str',
        "from": 'str',
        "to": 'str',
        "timeZone": 'str',
        "totals": 'TournamentCounts',
        "rounds": 'list[TournamentRound]',
        "warnings": 'list[TournamentWarning]',
        "refused": 'TournamentRefusals',
    },
)


class Tournament(_TournamentRequired, total=False):
    name: str
    """TournamentName as the cards have it, cut after 200 characters; absent if a person was erased from it."""
    startLists: list[StartListReport]
    """The cards compared with the start lists of these days, if there are any; by their days."""


_TournamentListRequired = TypedDict(
    "_TournamentListRequired",
    {
        "from": 'str',
        "to": 'str',
        "timeZone": 'str',
        "tournaments": 'list[TournamentSummary]',
        "isComplete": 'bool',
    },
)


class TournamentList(_TournamentListRequired, total=False):
    next: str
    """Query of the next page; absent on the last."""


class _TournamentSummaryRequired(TypedDict):
    id: str
    """Of the tournament, made from its name: stands for the name in paths, whatever characters that has."""
    day: str
    """Day of play, from the rounds' StartTime."""
    rounds: list[int]
    """Numbers of the rounds that have cards."""
    cards: int
    """Accepted cards; the five states that follow add up to them."""
    waiting: int
    """Without an outcome yet."""
    delivered: int
    rejected: int
    undelivered: int
    withdrawn: int
    recorded: int
    """Of the delivered ones, those in the player's record at the union."""
    notRecorded: int
    """Of the delivered ones, those not in it, although they were looked for several times."""
    playersUnknown: int
    """Delivered cards of players whom the union did not know."""
    warned: int
    """Cards with any warning."""
    warnings: list[TournamentWarning]
    """The most frequent first."""
    refused: int
    """Cards that were refused and not accepted since."""


class TournamentSummary(_TournamentSummaryRequired, total=False):
    name: str
    """TournamentName as the cards have it, cut after 200 characters; absent if a person was erased from it."""
    startList: ListedStartList
    """The start list that begins on this day, or before the first of the days that were asked for; absent if there is none. Whose card is missing is in the tournament itself."""


class TournamentCounts(TypedDict):
    cards: int
    """Accepted cards; the five states that follow add up to them."""
    waiting: int
    """Without an outcome yet."""
    delivered: int
    rejected: int
    undelivered: int
    withdrawn: int
    recorded: int
    """Of the delivered ones, those in the player's record at the union."""
    notRecorded: int
    """Of the delivered ones, those not in it, although they were looked for several times."""
    playersUnknown: int
    """Delivered cards of players whom the union did not know."""
    warned: int
    """Cards with any warning."""


class TournamentRound(TypedDict):
    day: str
    """Day of play."""
    round: int
    """TournamentRoundNumber; 0 if the cards have none from 1 to 99."""
    cards: int
    """Accepted cards; the five states that follow add up to them."""
    waiting: int
    """Without an outcome yet."""
    delivered: int
    rejected: int
    undelivered: int
    withdrawn: int
    recorded: int
    """Of the delivered ones, those in the player's record at the union."""
    notRecorded: int
    """Of the delivered ones, those not in it, although they were looked for several times."""
    playersUnknown: int
    """Delivered cards of players whom the union did not know."""
    warned: int
    """Cards with any warning."""


class TournamentWarning(TypedDict):
    code: str
    """One of the warnings in docs/faults.md; others may be added at any time."""
    cards: int


class TournamentFault(TypedDict):
    code: str
    """One of the faults in docs/faults.md; others may be added at any time."""
    cards: int


class _TournamentRefusalRequired(TypedDict):
    day: str
    """Day of play, or of the refusal if the card says no day, or a later one."""
    at: str
    """When it was refused last."""
    requestId: str
    """The submission's header x-amzn-RequestId."""
    index: int
    """Index of the card in the submission, from 0."""
    isCorrection: bool
    """Whether an earlier content of the card is accepted, and this was a correction of it."""
    errors: list[Finding]


class TournamentRefusal(_TournamentRefusalRequired, total=False):
    externalId: str
    """Absent if the card had none that can be read."""
    round: int
    """TournamentRoundNumber; absent if the card has none from 1 to 99."""


class TournamentRefusals(TypedDict):
    cards: int
    """Cards that were never accepted."""
    corrections: int
    """Corrections of cards that are accepted."""
    byFault: list[TournamentFault]
    """The most frequent first."""
    latest: list[TournamentRefusal]
    """Up to 200 of both, the newest first."""
    isComplete: bool
    """False if there are more."""


class _TournamentResultRequired(TypedDict):
    holes: int
    """Length of the round."""
    played: int
    """Holes that were played, those that were picked up included."""
    par: int
    """Par of the holes that were played."""
    points: int
    """Stableford points."""


class TournamentResult(_TournamentResultRequired, total=False):
    gross: int
    """Strokes of the holes that were played; absent if the ball was picked up on any."""
    net: int
    """The same less the strokes received on those holes off the Playing Handicap."""


class _TournamentCardRequired(TypedDict):
    externalId: str
    version: int
    state: Literal["queued", "retrying", "delivered", "rejected", "withdrawing", "withdrawn", "undelivered"]
    acceptedAt: str
    """When its content was accepted, also if that was sent on again since."""
    since: str
    """When the state was recorded."""
    day: str
    """Day of play."""
    warnings: list[str]
    """Codes; the card's state has the details."""
    player: str
    """Opaque; the same for all of your cards of one player."""
    result: TournamentResult


class TournamentCard(_TournamentCardRequired, total=False):
    round: int
    """TournamentRoundNumber; absent if the card has none from 1 to 99."""
    record: Literal["recorded", "not_recorded"]
    """Whether it is in the player's record; absent while that is not known."""
    playerName: str
    """As the card has it."""
    clubName: str
    """As the card has it."""
    playingHandicap: int


class _TournamentCardListRequired(TypedDict):
    cards: list[TournamentCard]
    """In the order in which they came."""


class TournamentCardList(_TournamentCardListRequired, total=False):
    next: str
    """Query of the next page; absent on the last."""


class _StartListInputRequired(TypedDict):
    players: list[StartListPlayer]


class StartListInput(_StartListInputRequired, total=False):
    name: str
    """TournamentName, to be shown while no card has it, if the path has the tournament's ID instead of its name."""
    rounds: list[int]
    """TournamentRoundNumbers of which each player sends a card; if left out, the rounds that have cards."""


class _StartListPlayerRequired(TypedDict):
    unionId: str
    """As the card's Player.UnionID, in any spelling; only a keyed digest of it is kept."""


class StartListPlayer(_StartListPlayerRequired, total=False):
    label: str
    """Your own for the player, such as a start number, never a name; missing players are told by it."""


_StartListRequired = TypedDict(
    "_StartListRequired",
    {
        "id": 'str',
        "from": 'str',
        "to": 'str',
        "players": 'int',
        "expiresAt": 'str',
    },
)


class StartList(_StartListRequired, total=False):
    rounds: list[int]


StartListReport = TypedDict(
    "StartListReport",
    {
        "from": 'str',
        "to": 'str',
        "expiresAt": 'str',
        "rounds": 'list[ExpectedRound]',
        "isComplete": 'bool',
    },
)


_ListedStartListRequired = TypedDict(
    "_ListedStartListRequired",
    {
        "from": 'str',
        "to": 'str',
        "players": 'int',
    },
)


class ListedStartList(_ListedStartListRequired, total=False):
    rounds: list[int]
    """The rounds of which every player sends a card, if the list names them."""


class ExpectedRound(TypedDict):
    round: int
    """TournamentRoundNumber; 0 if the cards have none from 1 to 99."""
    players: int
    """Players of the list."""
    missing: int
    """Those of them without a card that was delivered or may still be."""
    missingPlayers: list[MissingPlayer]
    """The first 500 of these, in the order of the list."""
    unlisted: int
    """Cards of players who are not in the list; withdrawn ones do not count."""
    unlistedCards: list[str]
    """ExternalIDs of the first 100 of these."""


class _MissingPlayerRequired(TypedDict):
    index: int
    """The player's place in the list, from 0."""
    reason: Literal["not_sent", "withdrawn", "rejected", "undelivered"]
    """`not_sent`: no card of the player was accepted; else what became of the player's card."""


class MissingPlayer(_MissingPlayerRequired, total=False):
    label: str
    """As it was sent with the player."""


class PlayerFault(TypedDict):
    index: int
    """The player's place in the list, from 0."""
    pointer: str
    """JSON pointer into the body."""
    detail: str
    """What is wrong and what to change."""


class RefusalTournament(TypedDict):
    """Absent if the card names no tournament."""

    id: str
    name: str
    day: str
    """Day of play, or of the refusal if the card says none."""
    round: int
    """0 if the card has no TournamentRoundNumber from 1 to 99."""


class FeedPage(TypedDict):
    events: list[FeedEvent]
    """The oldest first; 100 at most."""
    cursor: str
    """Send it as `after` for what comes next. Store it when these events are done with."""
    more: bool
    """Whether there are further events now."""
    askAgainAfterSeconds: int
    """When to ask again: 0 if there is more, 2 to 30 by the age of the newest event if not."""


class FeedEvent(TypedDict):
    type: str
    """As webhooks have it; others may be added at any time."""
    id: str
    """The same whenever the event is read."""
    timestamp: str
    data: FeedEventData


class _FeedEventDataRequired(TypedDict):
    apiSet: str


class FeedEventData(_FeedEventDataRequired, total=False):
    cards: list[EventCard]
    """The card that it is about, one each."""
    paused: DeliveryPause
    unsent: UnsentCards
    endpoint: ToldEndpoint


class _StoredScorecardRequired(TypedDict):
    externalId: str
    version: int
    state: CardState
    acceptedAt: str
    since: str
    """When the state was recorded."""
    posts: list[CardPosts]
    """The latest last; failures of the last ten kinds."""
    earlier: list[CardOutcome]
    card: FilledScorecard
    warnings: list[Finding]
    derivation: Derivation


class StoredScorecard(_StoredScorecardRequired, total=False):
    record: CardRecord


class CardOutcome(TypedDict):
    state: CardState
    at: str


class CardCorrection(TypedDict):
    version: int
    """The version that it corrects."""
    changed: list[Literal["player", "day", "course", "tee", "strokes", "handicap", "other"]]


class _CardPostsRequired(TypedDict):
    version: int
    at: str
    posts: int


class CardPosts(_CardPostsRequired, total=False):
    """Posts of the card to the exchange, one after the other with the same result; without `error` it took the card."""

    until: str
    """Of the last, if there were several."""
    error: DeliveryError


class _CardRecordRequired(TypedDict):
    state: Literal["recorded", "not_recorded"]
    at: str
    """When the record was read."""


class CardRecord(_CardRecordRequired, total=False):
    """Whether a delivered card is in the player's record at the union; absent while that is not known."""

    differential: int
    """The union's Score Differential times 10,000; absent if it calculated none."""


class _DeliveryErrorRequired(TypedDict):
    stage: Literal["before", "during", "after"]
    """`before`: the exchange has received nothing; `during`: it may have the card; `after`: it has answered."""
    message: str


class DeliveryError(_DeliveryErrorRequired, total=False):
    """Why a post to the exchange failed."""

    status: int
    """HTTP status of the exchange."""


class DeliveryPause(TypedDict):
    """Present while nothing can be delivered for this vendor: since when, why, and when it is retried."""

    since: str
    lastError: DeliveryError
    nextAttemptAt: str


class _FindingRequired(TypedDict):
    index: int
    """Index of the card in the array, from 0."""
    pointer: str
    """JSON pointer into the card; empty for the whole card."""
    code: str
    """One of those in docs/faults.md; others may be added at any time."""
    detail: str
    """What is wrong and what to change."""


class Finding(_FindingRequired, total=False):
    externalId: str
    expected: Any
    """What would be right: any JSON value."""
    received: Any
    """What was sent: any JSON value."""


class _ProblemRequired(TypedDict):
    type: str
    """Type of the problem; about:blank if the status says it all. Others may be added at any time."""
    title: str
    status: int
    detail: str
    """What happened and what to do."""


class Problem(_ProblemRequired, total=False):
    """RFC 9457, Problem Details for HTTP APIs."""

    errors: list[Finding]
    """One entry per fault of a card."""
    errorsLeftOut: int
    """Number of faults that do not fit into the response."""
    limit: str
    """The limit that the request exceeds."""
    parameters: list[ParameterFault]
    """Every query parameter with a value that is not allowed."""
    players: list[PlayerFault]
    """Faults of a start list's players, the first 100."""
    playersLeftOut: int
    """Number of such faults that are left out."""


class _ParameterFaultRequired(TypedDict):
    parameter: str
    detail: str


class ParameterFault(_ParameterFaultRequired, total=False):
    received: str
    """Absent if it may be a person's number."""


class Overview(TypedDict):
    stack: str
    at: str
    union: str
    """The union's base address in use."""
    delivery: DeliveryState
    queue: QueueState
    breakers: list[OpenBreaker]
    vendors: list[VendorOverview]
    """The busiest today first."""
    objective: ObjectiveState
    mirror: MirrorState
    alarms: list[RingingAlarm]


class DeliveryState(TypedDict):
    held: bool
    """Whether an operator has paused delivery, or its trigger is broken."""
    eventSource: str
    """State of the event source mapping, as Lambda names it."""


class _QueueStateRequired(TypedDict):
    waiting: int
    delayed: int
    """Messages that wait for their next attempt."""
    inFlight: int
    deadLetters: int


class QueueState(_QueueStateRequired, total=False):
    oldestSeconds: float
    """Age of the oldest card or message, as far as it is known."""
    cardsWithoutMessage: int
    """Cards that wait though neither queue has a message; absent if there are none. If it stays for more than a second, messages were lost."""


class _OpenBreakerRequired(TypedDict):
    apiSet: str
    since: str
    nextAttemptAt: str
    message: str


class OpenBreaker(_OpenBreakerRequired, total=False):
    status: int
    """HTTP status of the exchange, if it answered."""


class VendorOverview(TypedDict):
    username: str
    apiSet: str
    disabled: bool
    today: VendorDay
    waiting: int
    """Cards that have no outcome yet, whenever they were accepted."""


class VendorDay(TypedDict):
    accepted: int
    refused: int
    delivered: int
    late: int
    """Those of the delivered that came after midnight of their day of play."""
    rejected: int
    undelivered: int


class BurnRates(TypedDict):
    fast: float
    """Now, in times of what the objective allows."""
    slow: float
    """In three days."""


class _MirrorStateRequired(TypedDict):
    clubs: int
    failing: int


class MirrorState(_MirrorStateRequired, total=False):
    ageSeconds: float
    """Of the club whose last sync is longest ago."""
    failure: str
    """Why the list of clubs could not be read; if it could, why most failing clubs could not."""


class _ObjectiveStateRequired(TypedDict):
    delivered: int
    """Cards delivered in 30 days."""
    delayed: int
    """Those of them that took more than five minutes, outages of the union apart."""
    budgetUsed: float
    """The share of the error budget that is used up: 1 is all of it."""
    burnRates: BurnRates


class ObjectiveState(_ObjectiveStateRequired, total=False):
    share: float
    """The share that was in time; absent if nothing was delivered."""


class _RingingAlarmRequired(TypedDict):
    name: str
    text: str
    """Ends with the address of the runbook's section."""


class RingingAlarm(_RingingAlarmRequired, total=False):
    since: str


class ScorecardCourse(TypedDict, total=False):
    CourseID: str | None
    """ID of a course version, or the TemplateID; left out on a course that is not the union's. If left out, it is filled in from the register, on a course of the union."""
    ExternalID: str | None
    ClubID: str | None
    """If left out, it is filled in from the register, on a course of the union."""
    ClubName: str | None
    """If left out, it is filled in from the register, on a course of the union."""
    Name: str | None
    """If left out, it is filled in from the register, on a course of the union."""
    Country: str | None
    """If left out, it is filled in from the union's settings."""
    TeeID: str | None
    """If left out, it is filled in from the register, on a course of the union."""
    TeeName: str | None
    """If left out, it is filled in from the register, on a course of the union."""
    TeePar: int | None
    """If left out, it is filled in from the register, on a course of the union."""
    TeeRating: CourseRatingNumber | None
    """Course Rating times 10,000. If left out, it is filled in from the register, on a course of the union."""
    TeeSlope: SlopeRatingNumber | None
    """If left out, it is filled in from the register, on a course of the union."""
    Holes: list[ScorecardHole] | None
    """If left out, it is filled in from the register, on a course of the union."""


class _FilledScorecardCourseRequired(TypedDict):
    TeePar: int
    """If left out, it is filled in from the register, on a course of the union."""
    Holes: list[FilledScorecardHole]
    """If left out, it is filled in from the register, on a course of the union."""


class FilledScorecardCourse(_FilledScorecardCourseRequired, total=False):
    """TeeRating and TeeSlope are missing if the register has none."""

    CourseID: str | None
    """ID of a course version, or the TemplateID; left out on a course that is not the union's. If left out, it is filled in from the register, on a course of the union."""
    ExternalID: str | None
    ClubID: str | None
    """If left out, it is filled in from the register, on a course of the union."""
    ClubName: str | None
    """If left out, it is filled in from the register, on a course of the union."""
    Name: str | None
    """If left out, it is filled in from the register, on a course of the union."""
    Country: str | None
    """If left out, it is filled in from the union's settings."""
    TeeID: str | None
    """If left out, it is filled in from the register, on a course of the union."""
    TeeName: str | None
    """If left out, it is filled in from the register, on a course of the union."""
    TeeRating: CourseRatingNumber | None
    """Course Rating times 10,000. If left out, it is filled in from the register, on a course of the union."""
    TeeSlope: SlopeRatingNumber | None
    """If left out, it is filled in from the register, on a course of the union."""


class ScorecardHole(TypedDict, total=False):
    Number: int | None
    """If left out, it is filled in from the register, on a course of the union."""
    Par: int | None
    """If left out, it is filled in from the register, on a course of the union."""
    Index: int | None
    """Stroke index, 1 the hardest. A card that does not count for a handicap may be of a tee without. If left out, it is filled in from the register, on a course of the union."""
    Length: int | None
    """Metres. If left out, it is filled in from the register, on a course of the union."""
    SPH: int | None
    """Strokes received off the Playing Handicap. If left out, it is filled in from the rules."""


class _FilledScorecardHoleRequired(TypedDict):
    Number: int
    """If left out, it is filled in from the register, on a course of the union."""
    Par: int
    """If left out, it is filled in from the register, on a course of the union."""
    SPH: int
    """Strokes received off the Playing Handicap. If left out, it is filled in from the rules."""


class FilledScorecardHole(_FilledScorecardHoleRequired, total=False):
    Index: int | None
    """Stroke index, 1 the hardest. A card that does not count for a handicap may be of a tee without. If left out, it is filled in from the register, on a course of the union."""
    Length: int | None
    """Metres. If left out, it is filled in from the register, on a course of the union."""


class _ScorecardRoundRequired(TypedDict):
    HolesPlayed: int
    """Length of the round; it may include holes that were not played."""
    RoundType: Literal[1, 2]
    """1 general play, 2 tournament."""
    StartTime: str
    """Local time of the union's time zone."""


class ScorecardRound(_ScorecardRoundRequired, total=False):
    TournamentName: str | None
    TournamentRoundNumber: int | None


class _ScorecardResultRequired(TypedDict):
    Strokes: list[int]
    """0 picked up, -1 not played."""
    IsQualifying: bool


class ScorecardResult(_ScorecardResultRequired, total=False):
    Points: list[int] | None
    """If left out, it is filled in from the rules."""
    TotalPoints: int | None
    """If left out, it is filled in from the card's other fields."""
    TotalStrokes: int | None
    """0 after any pick-up. If left out, it is filled in from the card's other fields."""
    NetDoubleBogeyGross: int | None
    """If left out, it is filled in from the rules."""


class _FilledScorecardResultRequired(TypedDict):
    Points: list[int]
    """If left out, it is filled in from the rules."""
    Strokes: list[int]
    """0 picked up, -1 not played."""
    TotalPoints: int
    """If left out, it is filled in from the card's other fields."""
    TotalStrokes: int
    """0 after any pick-up. If left out, it is filled in from the card's other fields."""
    IsQualifying: bool


class FilledScorecardResult(_FilledScorecardResultRequired, total=False):
    NetDoubleBogeyGross: int | None
    """If left out, it is filled in from the rules."""


class _ScorecardPlayerRequired(TypedDict):
    UnionID: str


class ScorecardPlayer(_ScorecardPlayerRequired, total=False):
    FullName: str | None
    HomeClubName: str | None
    HomeClubCountry: str | None
    LifeTimeID: str | None


class _FilledScorecardPlayerRequired(TypedDict):
    UnionID: str


class FilledScorecardPlayer(_FilledScorecardPlayerRequired, total=False):
    FullName: str | None
    HomeClubName: str | None
    HomeClubCountry: str | None
    LifeTimeID: str | None


class ScorecardMarker(TypedDict, total=False):
    """At least one of FullName, LifeTimeID and UnionID, not blank."""

    FullName: str | None
    HomeClubName: str | None
    LifeTimeID: str | None
    UnionID: str | None


class FilledScorecardMarker(TypedDict, total=False):
    """At least one of FullName, LifeTimeID and UnionID, not blank."""

    FullName: str | None
    HomeClubName: str | None
    LifeTimeID: str | None
    UnionID: str | None


ScorecardEntry = AcceptedEntry | RefusedEntry

ValidationEntry = ValidEntry | InvalidEntry

CardState = Literal["queued", "retrying", "delivered", "rejected", "withdrawing", "withdrawn", "undelivered"]

WebhookEvent = ScorecardDeliveredEvent | ScorecardRejectedEvent | ScorecardUndeliveredEvent | ScorecardWithdrawnEvent | ScorecardWarnedEvent | ScorecardPlayerUnknownEvent | ScorecardRecordedEvent | ScorecardNotRecordedEvent | DeliveryPausedEvent | DeliveryResumedEvent | ScorecardsUnsentEvent | EndpointFailingEvent | EndpointDisabledEvent | EndpointRecoveredEvent | WebhookTestEvent
"""An event, as it is posted to endpoints. Ignore types that you do not know."""

ScaledNumber = int | str
"""A value times 10,000, as a whole number or as a text of one: 71.8 is 718000."""

NumberOrText = int | str
"""A whole number, or a text of one."""

CourseRatingNumber = int | str
"""A Course Rating times 10,000, as a whole number or as a text of one: 71.8 is 718000."""

HandicapIndexNumber = int | str
"""A Handicap Index times 10,000, as a whole number or as a text of one: 12.4 is 124000."""

SlopeRatingNumber = int | str
"""A Slope Rating, as a whole number or as a text of one."""


ListedState = Literal["retrying", "rejected", "withdrawn", "undelivered"]
"""A state that cards can be listed by: one that needs attention."""

ListedCount = Literal[
    "rejected",
    "undelivered",
    "notRecorded",
    "player_unknown",
    "tee_gender_differs",
    "handicap_status",
    "no_right_to_play",
    "membership_ended",
    "handicap_differs",
    "marker_unknown",
    "player_differs",
    "marker_differs",
    "marker_is_player",
    "round_seen",
    "rounds_overlap",
    "rounds_many",
    "recorded_twice",
]
"""What Activity counts of cards that need attention, and that they can be listed by."""

FINAL_STATES = frozenset({"delivered", "rejected", "withdrawn", "undelivered"})
"""The states of cards that have their outcome."""
