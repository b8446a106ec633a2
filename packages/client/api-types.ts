// Generated from the OpenAPI document by `npm run client:types`. Change that document instead.

/**
 * A value times 10,000, as a whole number or as a text of one: 71.8 is 718000.
 */
export type ScaledNumber = number | string;
/**
 * A value times 10,000, as a whole number or as a text of one: 71.8 is 718000.
 */
export type ScaledNumber1 = number | string;
/**
 * A whole number, or a text of one.
 */
export type NumberOrText = number | string;
/**
 * Handicap Index times 10,000.
 */
export type HandicapIndexNumber = number | string;
/**
 * A Course Rating times 10,000, as a whole number or as a text of one: 71.8 is 718000.
 */
export type CourseRatingNumber = number | string;
/**
 * A Slope Rating, as a whole number or as a text of one.
 */
export type SlopeRatingNumber = number | string;
/**
 * Handicap Index times 10,000.
 */
export type HandicapIndexNumber1 = number | string;
export type ScorecardEntry = AcceptedEntry | RefusedEntry;
export type ValidationEntry = ValidEntry | InvalidEntry;
export type CardState =
  "queued" | "retrying" | "delivered" | "rejected" | "withdrawing" | "withdrawn" | "undelivered";
/**
 * An event, as it is posted to endpoints. Ignore types that you do not know.
 */
export type WebhookEvent =
  | ScorecardDeliveredEvent
  | ScorecardRejectedEvent
  | ScorecardUndeliveredEvent
  | ScorecardWithdrawnEvent
  | ScorecardWarnedEvent
  | ScorecardPlayerUnknownEvent
  | ScorecardRecordedEvent
  | ScorecardNotRecordedEvent
  | DeliveryPausedEvent
  | DeliveryResumedEvent
  | ScorecardsUnsentEvent
  | EndpointFailingEvent
  | EndpointDisabledEvent
  | EndpointRecoveredEvent
  | WebhookTestEvent;
/**
 * A Handicap Index times 10,000, as a whole number or as a text of one: 12.4 is 124000.
 */
export type HandicapIndexNumber2 = number | string;

/**
 * Every type of the API.
 */
export interface ApiTypes {
  Club: Club;
  Course: Course;
  Tee: Tee;
  Hole: Hole;
  Member: Member;
  Membership: Membership;
  MembershipClub: MembershipClub;
  RecordedScorecard: RecordedScorecard;
  RecordedScorecardCourse: RecordedScorecardCourse;
  RecordedScorecardRound: RecordedScorecardRound;
  RecordedScorecardResult: RecordedScorecardResult;
  Scorecard: Scorecard;
  FilledScorecard: FilledScorecard;
  ScorecardEntry: ScorecardEntry;
  AcceptedEntry: AcceptedEntry;
  RefusedEntry: RefusedEntry;
  Validation: Validation;
  ValidationEntry: ValidationEntry;
  ValidEntry: ValidEntry;
  InvalidEntry: InvalidEntry;
  PlayerCounts: PlayerCounts;
  Derivation: Derivation;
  HoleDerivation: HoleDerivation;
  CardState: CardState;
  CardStatus: CardStatus;
  CardStatusList: CardStatusList;
  Webhook: Webhook;
  CreatedWebhook: CreatedWebhook;
  WebhookList: WebhookList;
  QueueAccess: QueueAccess;
  WebhookInput: WebhookInput;
  WebhookChange: WebhookChange;
  WebhookFailure: WebhookFailure;
  WebhookDisabled: WebhookDisabled;
  WebhookDispatch: WebhookDispatch;
  WebhookAttempt: WebhookAttempt;
  WebhookAttemptList: WebhookAttemptList;
  WebhookAttemptDetail: WebhookAttemptDetail;
  WebhookReplayInput: WebhookReplayInput;
  WebhookSecret: WebhookSecret;
  WebhookReplay: WebhookReplay;
  WebhookEvent: WebhookEvent;
  ScorecardDeliveredEvent: ScorecardDeliveredEvent;
  ScorecardRejectedEvent: ScorecardRejectedEvent;
  ScorecardUndeliveredEvent: ScorecardUndeliveredEvent;
  ScorecardWithdrawnEvent: ScorecardWithdrawnEvent;
  ScorecardWarnedEvent: ScorecardWarnedEvent;
  ScorecardPlayerUnknownEvent: ScorecardPlayerUnknownEvent;
  ScorecardRecordedEvent: ScorecardRecordedEvent;
  ScorecardNotRecordedEvent: ScorecardNotRecordedEvent;
  DeliveryPausedEvent: DeliveryPausedEvent;
  DeliveryResumedEvent: DeliveryResumedEvent;
  ScorecardsUnsentEvent: ScorecardsUnsentEvent;
  EndpointFailingEvent: EndpointFailingEvent;
  EndpointDisabledEvent: EndpointDisabledEvent;
  EndpointRecoveredEvent: EndpointRecoveredEvent;
  WebhookTestEvent: WebhookTestEvent;
  CardsEventData: CardsEventData;
  PauseEventData: PauseEventData;
  UnsentEventData: UnsentEventData;
  EndpointEventData: EndpointEventData;
  TestEventData: TestEventData;
  EventCard: EventCard;
  UnsentCards: UnsentCards;
  ToldEndpoint: ToldEndpoint;
  Activity: Activity;
  ActivityCounts: ActivityCounts;
  ActivityDay: ActivityDay;
  ActivityHour: ActivityHour;
  DeliverySeconds: DeliverySeconds;
  WaitingCards: WaitingCards;
  Refusal: Refusal;
  RefusalExample: RefusalExample;
  CardRefusal: CardRefusal;
  CardRefusalList: CardRefusalList;
  Tournament: Tournament;
  TournamentList: TournamentList;
  TournamentSummary: TournamentSummary;
  TournamentCounts: TournamentCounts;
  TournamentRound: TournamentRound;
  TournamentWarning: TournamentWarning;
  TournamentFault: TournamentFault;
  TournamentRefusal: TournamentRefusal;
  TournamentRefusals: TournamentRefusals;
  TournamentResult: TournamentResult;
  TournamentCard: TournamentCard;
  TournamentCardList: TournamentCardList;
  StartListInput: StartListInput;
  StartListPlayer: StartListPlayer;
  StartList: StartList;
  StartListReport: StartListReport;
  ListedStartList: ListedStartList1;
  ExpectedRound: ExpectedRound;
  MissingPlayer: MissingPlayer;
  PlayerFault: PlayerFault;
  RefusalTournament: RefusalTournament;
  FeedPage: FeedPage;
  FeedEvent: FeedEvent;
  FeedEventData: FeedEventData;
  StoredScorecard: StoredScorecard;
  CardOutcome: CardOutcome;
  CardCorrection: CardCorrection;
  CardPosts: CardPosts;
  CardRecord: CardRecord;
  DeliveryError: DeliveryError;
  DeliveryPause: DeliveryPause;
  Finding: Finding;
  Problem: Problem;
  ParameterFault: ParameterFault;
  Overview: Overview;
  DeliveryState: DeliveryState;
  QueueState: QueueState;
  OpenBreaker: OpenBreaker;
  VendorOverview: VendorOverview;
  VendorDay: VendorDay;
  BurnRates: BurnRates;
  MirrorState: MirrorState;
  ObjectiveState: ObjectiveState;
  RingingAlarm: RingingAlarm;
  ScaledNumber: ScaledNumber;
  NumberOrText: NumberOrText;
  CourseRatingNumber: CourseRatingNumber;
  HandicapIndexNumber: HandicapIndexNumber2;
  SlopeRatingNumber: SlopeRatingNumber;
  ScorecardCourse: ScorecardCourse;
  FilledScorecardCourse: FilledScorecardCourse;
  ScorecardHole: ScorecardHole;
  FilledScorecardHole: FilledScorecardHole;
  ScorecardRound: ScorecardRound;
  ScorecardResult: ScorecardResult;
  FilledScorecardResult: FilledScorecardResult;
  ScorecardPlayer: ScorecardPlayer;
  FilledScorecardPlayer: FilledScorecardPlayer;
  ScorecardMarker: ScorecardMarker;
  FilledScorecardMarker: FilledScorecardMarker;
}
export interface Club {
  ID: string;
  UnionNumber: number;
  Name: string;
  ShortName: string;
  AddressLine1?: string | null;
  AddressLine2?: string | null;
  StreetNumber?: string | null;
  Floor?: string | null;
  Side?: string | null;
  ZipCode?: string | null;
  City?: string | null;
  PrimaryPhone?: string | null;
  PrimaryEmail?: string | null;
  Homepage?: string | null;
  [k: string]: unknown;
}
export interface Course {
  TemplateID: string;
  ClubID: string;
  Name: string;
  NumberOfHoles: number;
  ActivationDate: string;
  IsActive: boolean;
  IsHcpQualifying: boolean;
  IsVisible: boolean;
  Version: number;
  ID: string;
  Tees: Tee[];
  ExternalID?: string | null;
  RatedCourse?: string | null;
  Created?: string | null;
  [k: string]: unknown;
}
export interface Tee {
  ID?: string;
  Name: string;
  /**
   * 1 female, 2 male; not reliable.
   */
  Gender: number;
  TotalLength: number;
  CourseRating: ScaledNumber;
  SlopeRating: number;
  IsNineHole: boolean;
  Holes: Hole[];
  [k: string]: unknown;
}
export interface Hole {
  Name?: string | null;
  Number: number;
  Par: number;
  Index: number | null;
  Length: number;
  IdealTime?: number | null;
  [k: string]: unknown;
}
export interface Member {
  ID: string;
  LifeTimeID: string;
  FirstName: string;
  LastName: string;
  Gender: string;
  BirthDate: string;
  RightToPlay: boolean;
  /**
   * 1 amateur, 2 professional.
   */
  Status: number;
  Handicap: ScaledNumber1;
  /**
   * 1 active, 2 inactive, 3 normal, 4 frozen, 5 frozen up, 6 frozen down, 8 suspended, 9 unallocated.
   */
  HandicapStatus: number;
  Memberships: Membership[];
  PlayerStatus?: number;
  Email?: string | null;
  HandicapDato?: string | null;
  [k: string]: unknown;
}
export interface Membership {
  ID: string;
  IsHomeClub: boolean;
  LocalRightToPlay: boolean;
  /**
   * 1 full, 2 flex, 3 long distance, 4 trial, 5 passive, 6 junior without course permission, 7 former.
   */
  Type: number;
  UnionID: string;
  Club: MembershipClub;
  HomeClub: MembershipClub;
  [k: string]: unknown;
}
export interface MembershipClub {
  ID: string;
  Name: string;
  ShortName: string;
  UnionNumber: number;
  [k: string]: unknown;
}
export interface RecordedScorecard {
  /**
   * Handicap Index of the round, times 10,000.
   */
  HCP?: ScaledNumber | null;
  Round: RecordedScorecardRound;
  Result: RecordedScorecardResult;
  Course?: RecordedScorecardCourse | null;
  [k: string]: unknown;
}
export interface RecordedScorecardRound {
  /**
   * Time in the union's time zone.
   */
  StartTime: string;
  HolesPlayed?: NumberOrText | null;
  [k: string]: unknown;
}
export interface RecordedScorecardResult {
  IsQualifying?: boolean | null;
  /**
   * Score Differential that the union calculated, times 10,000; absent if it calculated none.
   */
  SGD?: ScaledNumber | null;
  TotalPoints?: NumberOrText | null;
  TotalStrokes?: NumberOrText | null;
  [k: string]: unknown;
}
export interface RecordedScorecardCourse {
  Name?: string | null;
  TeePar?: NumberOrText | null;
  /**
   * Course rating times 10,000.
   */
  TeeRating?: ScaledNumber | null;
  TeeSlope?: NumberOrText | null;
  [k: string]: unknown;
}
export interface Scorecard {
  /**
   * If left out, it is filled in from the card's other fields.
   */
  ID?: string | null;
  CreateDateTime: string;
  /**
   * A name of your own for the card, at most 256 UTF-16 units.
   */
  ExternalID: string;
  HCP: HandicapIndexNumber;
  CourseHandicap: number;
  /**
   * Playing Handicap. If left out, it is filled in from the card's other fields.
   */
  PHCP?: number | null;
  Comment?: string | null;
  Course: ScorecardCourse;
  Round: ScorecardRound;
  Result: ScorecardResult;
  Player: ScorecardPlayer;
  Marker: ScorecardMarker;
}
export interface ScorecardCourse {
  /**
   * ID of a course version, or the TemplateID; left out on a course that is not the union's. If left out, it is filled in from the register, on a course of the union.
   */
  CourseID?: string | null;
  ExternalID?: string | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  ClubID?: string | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  ClubName?: string | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  Name?: string | null;
  /**
   * If left out, it is filled in from the union's settings.
   */
  Country?: string | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  TeeID?: string | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  TeeName?: string | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  TeePar?: number | null;
  /**
   * Course Rating times 10,000. If left out, it is filled in from the register, on a course of the union.
   */
  TeeRating?: CourseRatingNumber | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  TeeSlope?: SlopeRatingNumber | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   *
   * @maxItems 18
   */
  Holes?: ScorecardHole[] | null;
}
export interface ScorecardHole {
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  Number?: number | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  Par?: number | null;
  /**
   * Stroke index, 1 the hardest. A card that does not count for a handicap may be of a tee without. If left out, it is filled in from the register, on a course of the union.
   */
  Index?: number | null;
  /**
   * Metres. If left out, it is filled in from the register, on a course of the union.
   */
  Length?: number | null;
  /**
   * Strokes received off the Playing Handicap. If left out, it is filled in from the rules.
   */
  SPH?: number | null;
}
export interface ScorecardRound {
  /**
   * Length of the round; it may include holes that were not played.
   */
  HolesPlayed: number;
  /**
   * 1 general play, 2 tournament.
   */
  RoundType: 1 | 2;
  /**
   * Local time of the union's time zone.
   */
  StartTime: string;
  TournamentName?: string | null;
  TournamentRoundNumber?: number | null;
}
export interface ScorecardResult {
  /**
   * If left out, it is filled in from the rules.
   *
   * @maxItems 18
   */
  Points?: number[] | null;
  /**
   * 0 picked up, -1 not played.
   *
   * @maxItems 18
   */
  Strokes: number[];
  /**
   * If left out, it is filled in from the card's other fields.
   */
  TotalPoints?: number | null;
  /**
   * 0 after any pick-up. If left out, it is filled in from the card's other fields.
   */
  TotalStrokes?: number | null;
  /**
   * If left out, it is filled in from the rules.
   */
  NetDoubleBogeyGross?: number | null;
  IsQualifying: boolean;
}
export interface ScorecardPlayer {
  FullName?: string | null;
  HomeClubName?: string | null;
  HomeClubCountry?: string | null;
  LifeTimeID?: string | null;
  UnionID: string;
}
/**
 * At least one of FullName, LifeTimeID and UnionID, not blank.
 */
export interface ScorecardMarker {
  FullName?: string | null;
  HomeClubName?: string | null;
  LifeTimeID?: string | null;
  UnionID?: string | null;
}
/**
 * A scorecard with its ID and every derived field filled in.
 */
export interface FilledScorecard {
  /**
   * If left out, it is filled in from the card's other fields.
   */
  ID: string;
  CreateDateTime: string;
  /**
   * A name of your own for the card, at most 256 UTF-16 units.
   */
  ExternalID: string;
  HCP: HandicapIndexNumber1;
  CourseHandicap: number;
  /**
   * Playing Handicap. If left out, it is filled in from the card's other fields.
   */
  PHCP: number;
  Comment?: string | null;
  Course: FilledScorecardCourse;
  Round: ScorecardRound;
  Result: FilledScorecardResult;
  Player: FilledScorecardPlayer;
  Marker: FilledScorecardMarker;
  [k: string]: unknown;
}
/**
 * TeeRating and TeeSlope are missing if the register has none.
 */
export interface FilledScorecardCourse {
  /**
   * ID of a course version, or the TemplateID; left out on a course that is not the union's. If left out, it is filled in from the register, on a course of the union.
   */
  CourseID?: string | null;
  ExternalID?: string | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  ClubID?: string | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  ClubName?: string | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  Name?: string | null;
  /**
   * If left out, it is filled in from the union's settings.
   */
  Country?: string | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  TeeID?: string | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  TeeName?: string | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  TeePar: number;
  /**
   * Course Rating times 10,000. If left out, it is filled in from the register, on a course of the union.
   */
  TeeRating?: CourseRatingNumber | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  TeeSlope?: SlopeRatingNumber | null;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   *
   * @maxItems 18
   */
  Holes: FilledScorecardHole[];
  [k: string]: unknown;
}
export interface FilledScorecardHole {
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  Number: number;
  /**
   * If left out, it is filled in from the register, on a course of the union.
   */
  Par: number;
  /**
   * Stroke index, 1 the hardest. A card that does not count for a handicap may be of a tee without. If left out, it is filled in from the register, on a course of the union.
   */
  Index?: number | null;
  /**
   * Metres. If left out, it is filled in from the register, on a course of the union.
   */
  Length?: number | null;
  /**
   * Strokes received off the Playing Handicap. If left out, it is filled in from the rules.
   */
  SPH: number;
  [k: string]: unknown;
}
export interface FilledScorecardResult {
  /**
   * If left out, it is filled in from the rules.
   *
   * @maxItems 18
   */
  Points: number[];
  /**
   * 0 picked up, -1 not played.
   *
   * @maxItems 18
   */
  Strokes: number[];
  /**
   * If left out, it is filled in from the card's other fields.
   */
  TotalPoints: number;
  /**
   * 0 after any pick-up. If left out, it is filled in from the card's other fields.
   */
  TotalStrokes: number;
  /**
   * If left out, it is filled in from the rules.
   */
  NetDoubleBogeyGross?: number | null;
  IsQualifying: boolean;
  [k: string]: unknown;
}
export interface FilledScorecardPlayer {
  FullName?: string | null;
  HomeClubName?: string | null;
  HomeClubCountry?: string | null;
  LifeTimeID?: string | null;
  UnionID: string;
  [k: string]: unknown;
}
/**
 * At least one of FullName, LifeTimeID and UnionID, not blank.
 */
export interface FilledScorecardMarker {
  FullName?: string | null;
  HomeClubName?: string | null;
  LifeTimeID?: string | null;
  UnionID?: string | null;
  [k: string]: unknown;
}
export interface AcceptedEntry {
  index: number;
  externalId: string;
  status: 201;
  card: FilledScorecard;
  /**
   * Opaque; the same for the same content as it was sent, in any order of its fields. Compare a card's with Validate's.
   */
  contentHash: string;
  corrects?: CardCorrection;
  warnings: Finding[];
}
export interface CardCorrection {
  /**
   * The version that it corrects.
   */
  version: number;
  changed: ("player" | "day" | "course" | "tee" | "strokes" | "handicap" | "other")[];
}
export interface Finding {
  /**
   * Index of the card in the array, from 0.
   */
  index: number;
  externalId?: string;
  /**
   * JSON pointer into the card; empty for the whole card.
   */
  pointer: string;
  /**
   * One of those in docs/faults.md; others may be added at any time.
   */
  code: string;
  /**
   * What is wrong and what to change.
   */
  detail: string;
  /**
   * What would be right: any JSON value.
   */
  expected?: unknown;
  /**
   * What was sent: any JSON value.
   */
  received?: unknown;
}
export interface RefusedEntry {
  index: number;
  externalId?: string;
  status: 422;
  errors: Finding[];
}
export interface Validation {
  accepted: boolean;
  players?: PlayerCounts;
  cards: ValidationEntry[];
}
/**
 * With `players`: how many players of the valid cards the union knows, does not know, and gave no answer about.
 */
export interface PlayerCounts {
  known: number;
  unknown: number;
  unanswered: number;
}
export interface ValidEntry {
  index: number;
  externalId: string;
  status: 201;
  card?: FilledScorecard1;
  /**
   * Opaque; the same for the same content as it was sent, in any order of its fields. Compare a card's with Validate's.
   */
  contentHash: string;
  corrects?: CardCorrection;
  warnings: Finding[];
  derivation?: Derivation;
}
/**
 * A scorecard with its ID and every derived field filled in.
 */
export interface FilledScorecard1 {
  /**
   * If left out, it is filled in from the card's other fields.
   */
  ID: string;
  CreateDateTime: string;
  /**
   * A name of your own for the card, at most 256 UTF-16 units.
   */
  ExternalID: string;
  HCP: HandicapIndexNumber1;
  CourseHandicap: number;
  /**
   * Playing Handicap. If left out, it is filled in from the card's other fields.
   */
  PHCP: number;
  Comment?: string | null;
  Course: FilledScorecardCourse;
  Round: ScorecardRound;
  Result: FilledScorecardResult;
  Player: FilledScorecardPlayer;
  Marker: FilledScorecardMarker;
  [k: string]: unknown;
}
export interface Derivation {
  courseHandicap: number;
  /**
   * Calculated from HCP, TeeRating, TeeSlope and TeePar: one number, or two on nine holes if half of HCP rounded and the exact half do not give the same.
   */
  courseHandicapByRule: number[];
  playingHandicap: number;
  /**
   * The nine holes that handicap strokes are allocated to in a nine-hole round on an 18-hole tee; else null.
   */
  nineHoles: number[] | null;
  holes: HoleDerivation[];
  totalPoints: number;
  /**
   * 0 after any pick-up.
   */
  totalStrokes: number;
  netDoubleBogeyGross: number | null;
  /**
   * 113 / TeeSlope x (netDoubleBogeyGross - TeeRating), to a tenth and times 10,000, without the Playing Conditions Calculation; null unless all of 18 holes were played on a rated tee.
   */
  scoreDifferential: number | null;
}
export interface HoleDerivation {
  number: number;
  par: number;
  strokeIndex: number;
  /**
   * 0 picked up, -1 not played.
   */
  strokes: number;
  receivedOffPlayingHandicap: number;
  receivedOffCourseHandicap: number;
  points: number;
  /**
   * Net double bogey, never more than par + 5.
   */
  maximum: number;
  /**
   * Null if the hole was not played.
   */
  counted: number | null;
}
export interface InvalidEntry {
  index: number;
  externalId?: string;
  status: 422;
  errors: Finding[];
  errorsLeftOut?: number;
  warnings: Finding[];
}
export interface CardStatus {
  externalId: string;
  /**
   * `refused` if no such card has been accepted and one was refused in the last 31 days; `unknown` if there was none.
   */
  state:
    | "queued"
    | "retrying"
    | "delivered"
    | "rejected"
    | "withdrawing"
    | "withdrawn"
    | "undelivered"
    | "refused"
    | "unknown";
  /**
   * Counts contents, withdrawals, and how often a rejected or undelivered card was sent on: of two statuses the one with the higher version is later.
   */
  version?: number;
  /**
   * The card's ID at the union.
   */
  id?: string;
  /**
   * Opaque; the same for the same content as it was sent, in any order of its fields. Compare a card's with Validate's.
   */
  contentHash?: string;
  acceptedAt?: string;
  /**
   * When the state was recorded.
   */
  since?: string;
  /**
   * Posts to the exchange so far.
   */
  attempts?: number;
  /**
   * Whether a delivered card was there before midnight of its day of play, in the union's time zone; absent if that was not recorded.
   */
  arrival?: "onDayOfPlay" | "late";
  lastError?: DeliveryError;
  /**
   * The card is not tried before; once this has passed, it waits for its turn.
   */
  nextAttemptAt?: string;
  paused?: DeliveryPause;
  /**
   * The card is not delivered, but the exchange has it, or may have it, perhaps in an earlier content.
   */
  maybeDelivered?: true;
  warnings?: Finding[];
  corrects?: CardCorrection;
  /**
   * Of a refused card: the submission's header x-amzn-RequestId.
   */
  requestId?: string;
  /**
   * Of a refused card: its faults in the last submission.
   */
  errors?: Finding[];
  record?: CardRecord;
  /**
   * Outcomes of the cards that this one corrects, the latest last.
   */
  earlier?: CardOutcome[];
}
/**
 * Why a post to the exchange failed.
 */
export interface DeliveryError {
  /**
   * `before`: the exchange has received nothing; `during`: it may have the card; `after`: it has answered.
   */
  stage: "before" | "during" | "after";
  /**
   * HTTP status of the exchange.
   */
  status?: number;
  message: string;
}
/**
 * Present while nothing can be delivered for this vendor: since when, why, and when it is retried.
 */
export interface DeliveryPause {
  since: string;
  lastError: DeliveryError;
  nextAttemptAt: string;
}
/**
 * Whether a delivered card is in the player's record at the union; absent while that is not known.
 */
export interface CardRecord {
  state: "recorded" | "not_recorded";
  /**
   * When the record was read.
   */
  at: string;
  /**
   * The union's Score Differential times 10,000; absent if it calculated none.
   */
  differential?: number;
}
export interface CardOutcome {
  state: CardState;
  at: string;
}
export interface CardStatusList {
  cards: CardStatus[];
  /**
   * Query of the next page; absent on the last.
   */
  next?: string;
}
export interface Webhook {
  id: string;
  /**
   * Where events are posted to, or a queue's URL.
   */
  url: string;
  /**
   * Set for a queue: the role that sends to it.
   */
  roleArn?: string;
  /**
   * The events that are sent; others may be added at any time.
   */
  types: string[];
  /**
   * Names of your own headers. Their values are not shown.
   */
  headers?: string[];
  createdAt: string;
  /**
   * Events that wait to be posted, or to be posted again; for a queue at most 1000 of the feed are counted.
   */
  pending: number;
  /**
   * When it took an event last; up to a minute late. Absent if it never did.
   */
  lastTakenAt?: string;
  state: "active" | "failing" | "disabled";
  failing?: WebhookFailure;
  disabled?: WebhookDisabled;
}
/**
 * Present while the endpoint takes nothing: since when, why, and when it is tried again.
 */
export interface WebhookFailure {
  since: string;
  /**
   * Failed posts in a row.
   */
  failures: number;
  /**
   * When the first of the events that wait is posted, unless a new one comes before.
   */
  nextAttemptAt: string;
  /**
   * HTTP status of the endpoint, if it answered.
   */
  status?: number;
  message: string;
}
export interface WebhookDisabled {
  at: string;
  /**
   * `gone`: it answered 410; `failed_for_days`: it took nothing for three days.
   */
  why: "gone" | "failed_for_days" | "by_vendor";
}
export interface CreatedWebhook {
  id: string;
  /**
   * Where events are posted to, or a queue's URL.
   */
  url: string;
  /**
   * Set for a queue: the role that sends to it.
   */
  roleArn?: string;
  /**
   * The events that are sent; others may be added at any time.
   */
  types: string[];
  /**
   * Names of your own headers. Their values are not shown.
   */
  headers?: string[];
  createdAt: string;
  /**
   * Events that wait to be posted, or to be posted again; for a queue at most 1000 of the feed are counted.
   */
  pending: number;
  /**
   * When it took an event last; up to a minute late. Absent if it never did.
   */
  lastTakenAt?: string;
  state: "active" | "failing" | "disabled";
  failing?: WebhookFailure;
  disabled?: WebhookDisabled;
  /**
   * `whsec_` and base64. It is shown once: store it.
   */
  secret: string;
}
export interface WebhookList {
  webhooks: Webhook[];
  queues: QueueAccess;
}
/**
 * What the role of a queue in your own AWS account has to trust.
 */
export interface QueueAccess {
  /**
   * Our AWS account: the principal of the role's trust policy.
   */
  principal: string;
  /**
   * Yours alone: the condition `sts:ExternalId` of the role's trust policy.
   */
  externalId: string;
  /**
   * The role's name begins with this.
   */
  roleNamePrefix: string;
}
export interface WebhookInput {
  /**
   * https, at an address that everybody can reach; on the local run also http at 127.0.0.1. With `roleArn`, the URL of an SQS queue.
   */
  url: string;
  /**
   * Makes the endpoint a queue of your own AWS account: the role there that may send to it.
   */
  roleArn?: string;
  /**
   * All events if left out.
   *
   * @minItems 1
   */
  types?: (
    | "scorecard.delivered"
    | "scorecard.rejected"
    | "scorecard.undelivered"
    | "scorecard.withdrawn"
    | "scorecard.warned"
    | "scorecard.player_unknown"
    | "scorecard.recorded"
    | "scorecard.not_recorded"
    | "delivery.paused"
    | "delivery.resumed"
    | "scorecards.unsent"
    | "endpoint.failing"
    | "endpoint.disabled"
    | "endpoint.recovered"
  )[];
  /**
   * Headers of your own, such as an API key: at most 10, 2000 characters together. Not those that we set, and none of a connection. To a queue at most 7, as attributes.
   */
  headers?: {
    [k: string]: string;
  };
}
export interface WebhookChange {
  /**
   * https, at an address that everybody can reach; on the local run also http at 127.0.0.1. With `roleArn`, the URL of an SQS queue.
   */
  url?: string;
  /**
   * Makes the endpoint a queue of your own AWS account: the role there that may send to it.
   */
  roleArn?: string;
  /**
   * @minItems 1
   */
  types?: (
    | "scorecard.delivered"
    | "scorecard.rejected"
    | "scorecard.undelivered"
    | "scorecard.withdrawn"
    | "scorecard.warned"
    | "scorecard.player_unknown"
    | "scorecard.recorded"
    | "scorecard.not_recorded"
    | "delivery.paused"
    | "delivery.resumed"
    | "scorecards.unsent"
    | "endpoint.failing"
    | "endpoint.disabled"
    | "endpoint.recovered"
  )[];
  /**
   * Headers of your own, such as an API key: at most 10, 2000 characters together. Not those that we set, and none of a connection. To a queue at most 7, as attributes.
   */
  headers?: {
    [k: string]: string;
  };
  enabled?: boolean;
}
export interface WebhookDispatch {
  /**
   * The event's ID, as in the header webhook-id.
   */
  eventId: string;
}
export interface WebhookAttempt {
  /**
   * Type of the event; absent if it was too large to keep.
   */
  type?: string;
  id: string;
  at: string;
  /**
   * How long the endpoint took.
   */
  milliseconds: number;
  /**
   * The event's ID, as in the header webhook-id.
   */
  eventId: string;
  /**
   * Number of cards in the event.
   */
  cards?: number;
  taken: boolean;
  /**
   * HTTP status of the endpoint, if it answered.
   */
  status?: number;
  /**
   * Why it did not take the event.
   */
  message?: string;
}
export interface WebhookAttemptList {
  attempts: WebhookAttempt[];
}
export interface WebhookAttemptDetail {
  /**
   * Type of the event; absent if it was too large to keep.
   */
  type?: string;
  id: string;
  at: string;
  /**
   * How long the endpoint took.
   */
  milliseconds: number;
  /**
   * The event's ID, as in the header webhook-id.
   */
  eventId: string;
  /**
   * Number of cards in the event.
   */
  cards?: number;
  taken: boolean;
  /**
   * HTTP status of the endpoint, if it answered.
   */
  status?: number;
  /**
   * Why it did not take the event.
   */
  message?: string;
  event?: WebhookEvent;
}
/**
 * The exchange has taken these cards.
 */
export interface ScorecardDeliveredEvent {
  type: "scorecard.delivered";
  /**
   * When it happened.
   */
  timestamp: string;
  data: CardsEventData;
}
export interface CardsEventData {
  apiSet: string;
  /**
   * Up to a hundred.
   */
  cards: EventCard[];
}
/**
 * A card's state, as it is read, without its hash.
 */
export interface EventCard {
  externalId: string;
  /**
   * `refused` if no such card has been accepted and one was refused in the last 31 days; `unknown` if there was none.
   */
  state:
    | "queued"
    | "retrying"
    | "delivered"
    | "rejected"
    | "withdrawing"
    | "withdrawn"
    | "undelivered"
    | "refused"
    | "unknown";
  /**
   * Counts contents, withdrawals, and how often a rejected or undelivered card was sent on: of two statuses the one with the higher version is later.
   */
  version?: number;
  /**
   * The card's ID at the union.
   */
  id?: string;
  acceptedAt?: string;
  /**
   * When the state was recorded.
   */
  since?: string;
  /**
   * Posts to the exchange so far.
   */
  attempts?: number;
  /**
   * Whether a delivered card was there before midnight of its day of play, in the union's time zone; absent if that was not recorded.
   */
  arrival?: "onDayOfPlay" | "late";
  lastError?: DeliveryError;
  /**
   * The card is not tried before; once this has passed, it waits for its turn.
   */
  nextAttemptAt?: string;
  paused?: DeliveryPause;
  /**
   * The card is not delivered, but the exchange has it, or may have it, perhaps in an earlier content.
   */
  maybeDelivered?: true;
  warnings?: Finding[];
  corrects?: CardCorrection;
  record?: CardRecord;
  /**
   * Outcomes of the cards that this one corrects, the latest last.
   */
  earlier?: CardOutcome[];
  /**
   * Of `scorecard.warned`: the codes of the warnings that were found now.
   */
  found?: string[];
}
/**
 * The exchange has refused these cards; `lastError` says why.
 */
export interface ScorecardRejectedEvent {
  type: "scorecard.rejected";
  /**
   * When it happened.
   */
  timestamp: string;
  data: CardsEventData;
}
/**
 * These cards were given up after days of attempts; `lastError` says why.
 */
export interface ScorecardUndeliveredEvent {
  type: "scorecard.undelivered";
  /**
   * When it happened.
   */
  timestamp: string;
  data: CardsEventData;
}
/**
 * These cards were withdrawn; `maybeDelivered` says that the exchange may have one after all.
 */
export interface ScorecardWithdrawnEvent {
  type: "scorecard.withdrawn";
  /**
   * When it happened.
   */
  timestamp: string;
  data: CardsEventData;
}
/**
 * Something was found about the players, markers or rounds of these delivered cards: `found` says what, `warnings` what to do.
 */
export interface ScorecardWarnedEvent {
  type: "scorecard.warned";
  /**
   * When it happened.
   */
  timestamp: string;
  data: CardsEventData;
}
/**
 * The union does not know the players of these delivered cards.
 */
export interface ScorecardPlayerUnknownEvent {
  type: "scorecard.player_unknown";
  /**
   * When it happened.
   */
  timestamp: string;
  data: CardsEventData;
}
/**
 * These delivered cards are in the players' records.
 */
export interface ScorecardRecordedEvent {
  type: "scorecard.recorded";
  /**
   * When it happened.
   */
  timestamp: string;
  data: CardsEventData;
}
/**
 * These delivered cards are not in the players' records after three days.
 */
export interface ScorecardNotRecordedEvent {
  type: "scorecard.not_recorded";
  /**
   * When it happened.
   */
  timestamp: string;
  data: CardsEventData;
}
/**
 * Nothing can be delivered for you: since when, and why.
 */
export interface DeliveryPausedEvent {
  type: "delivery.paused";
  /**
   * When it happened.
   */
  timestamp: string;
  data: PauseEventData;
}
export interface PauseEventData {
  apiSet: string;
  paused: DeliveryPause;
}
/**
 * Cards are delivered again; `paused` says why they were not.
 */
export interface DeliveryResumedEvent {
  type: "delivery.resumed";
  /**
   * When it happened.
   */
  timestamp: string;
  data: PauseEventData;
}
/**
 * Cards wait shortly before midnight.
 */
export interface ScorecardsUnsentEvent {
  type: "scorecards.unsent";
  /**
   * When it happened.
   */
  timestamp: string;
  data: UnsentEventData;
}
export interface UnsentEventData {
  apiSet: string;
  unsent: UnsentCards;
  paused?: DeliveryPause;
}
export interface UnsentCards {
  /**
   * The day that ends, in the union's time zone.
   */
  day: string;
  /**
   * Cards that wait.
   */
  cards: number;
  /**
   * Those of them that were accepted on this day.
   */
  acceptedToday: number;
  /**
   * Beginning of the hour in which the oldest of them was accepted.
   */
  since?: string;
}
/**
 * A webhook endpoint of yours has taken nothing for an hour.
 */
export interface EndpointFailingEvent {
  type: "endpoint.failing";
  /**
   * When it happened.
   */
  timestamp: string;
  data: EndpointEventData;
}
export interface EndpointEventData {
  apiSet: string;
  endpoint: ToldEndpoint;
}
export interface ToldEndpoint {
  /**
   * The endpoint's ID.
   */
  id: string;
  /**
   * Since when it had taken nothing; absent if it was disabled at once.
   */
  since?: string;
  /**
   * Failed posts in a row.
   */
  failures?: number;
  /**
   * HTTP status of the endpoint, if it answered.
   */
  status?: number;
  /**
   * Why it did not take the last event.
   */
  message?: string;
  /**
   * Why it was disabled: it answered 410, or took nothing for three days.
   */
  why?: "gone" | "failed_for_days";
}
/**
 * A webhook endpoint of yours was disabled: it is gone, or took nothing for three days.
 */
export interface EndpointDisabledEvent {
  type: "endpoint.disabled";
  /**
   * When it happened.
   */
  timestamp: string;
  data: EndpointEventData;
}
/**
 * A webhook endpoint that you were told of takes events again.
 */
export interface EndpointRecoveredEvent {
  type: "endpoint.recovered";
  /**
   * When it happened.
   */
  timestamp: string;
  data: EndpointEventData;
}
/**
 * You asked for it.
 */
export interface WebhookTestEvent {
  type: "webhook.test";
  /**
   * When it happened.
   */
  timestamp: string;
  data: TestEventData;
}
export interface TestEventData {
  apiSet: string;
}
export interface WebhookReplayInput {
  /**
   * Outcomes from this time on; 24 hours before `to` if left out.
   */
  from?: string;
  /**
   * Outcomes before this time; now if left out.
   */
  to?: string;
  /**
   * The endpoint's types if left out.
   *
   * @minItems 1
   */
  types?: (
    | "scorecard.delivered"
    | "scorecard.rejected"
    | "scorecard.undelivered"
    | "scorecard.withdrawn"
    | "scorecard.warned"
    | "scorecard.player_unknown"
    | "scorecard.recorded"
    | "scorecard.not_recorded"
    | "delivery.paused"
    | "delivery.resumed"
    | "scorecards.unsent"
    | "endpoint.failing"
    | "endpoint.disabled"
    | "endpoint.recovered"
  )[];
  /**
   * Only counts the cards.
   */
  preview?: boolean;
  /**
   * `next` of the answer before.
   */
  after?: string;
}
export interface WebhookSecret {
  /**
   * `whsec_` and base64. It is shown once: store it.
   */
  secret: string;
}
export interface WebhookReplay {
  /**
   * Cards, each once; a card can be in several events.
   */
  cards: number;
  /**
   * Set if there are more: repeat the request with it as `after`.
   */
  next?: string;
}
export interface Activity {
  /**
   * The first day, in the union's time zone.
   */
  from: string;
  /**
   * The last day.
   */
  to: string;
  /**
   * IANA name.
   */
  timeZone: string;
  waiting: WaitingCards;
  totals: ActivityCounts;
  /**
   * Only days on which something was counted.
   */
  days: ActivityDay[];
  /**
   * Only hours in which something was counted.
   */
  hours: ActivityHour[];
  /**
   * Delivered cards by the warning that was found afterwards, the most frequent first.
   */
  warnings: TournamentWarning[];
  /**
   * By fault, the most frequent first.
   */
  refusals: Refusal[];
}
/**
 * Cards that have no outcome yet, whenever they were accepted.
 */
export interface WaitingCards {
  cards: number;
  /**
   * Beginning of the hour in which the oldest of them was accepted.
   */
  since?: string;
  paused?: DeliveryPause;
}
export interface ActivityCounts {
  /**
   * New cards.
   */
  accepted: number;
  /**
   * Cards with a fault; each counts once, however many it has.
   */
  refused: number;
  /**
   * Other contents of cards that were there.
   */
  corrected: number;
  /**
   * Contents that were submitted or sent on again after they were given up, rejected or withdrawn.
   */
  resent: number;
  withdrawn: number;
  delivered: number;
  /**
   * Delivered before midnight of the day on which the round was played.
   */
  onDayOfPlay: number;
  /**
   * Delivered later than that.
   */
  late: number;
  rejected: number;
  undelivered: number;
  /**
   * Delivered cards about whose player, marker or round something was found afterwards.
   */
  warned: number;
  /**
   * Delivered cards of players whom the union did not know.
   */
  playersUnknown: number;
  /**
   * Delivered cards that are in the player's record at the union.
   */
  recorded: number;
  /**
   * Delivered cards that are not in it, although they were looked for several times.
   */
  notRecorded: number;
  deliverySeconds?: DeliverySeconds;
}
/**
 * From accepting a card to recording its delivery, to within a quarter.
 */
export interface DeliverySeconds {
  /**
   * Half of the cards were delivered in this time.
   */
  half: number;
  /**
   * 95 % of the cards were delivered in this time.
   */
  most: number;
}
export interface ActivityDay {
  day: string;
  /**
   * New cards.
   */
  accepted: number;
  /**
   * Cards with a fault; each counts once, however many it has.
   */
  refused: number;
  /**
   * Other contents of cards that were there.
   */
  corrected: number;
  /**
   * Contents that were submitted or sent on again after they were given up, rejected or withdrawn.
   */
  resent: number;
  withdrawn: number;
  delivered: number;
  /**
   * Delivered before midnight of the day on which the round was played.
   */
  onDayOfPlay: number;
  /**
   * Delivered later than that.
   */
  late: number;
  rejected: number;
  undelivered: number;
  /**
   * Delivered cards about whose player, marker or round something was found afterwards.
   */
  warned: number;
  /**
   * Delivered cards of players whom the union did not know.
   */
  playersUnknown: number;
  /**
   * Delivered cards that are in the player's record at the union.
   */
  recorded: number;
  /**
   * Delivered cards that are not in it, although they were looked for several times.
   */
  notRecorded: number;
  deliverySeconds?: DeliverySeconds;
}
export interface ActivityHour {
  start: string;
  /**
   * New cards.
   */
  accepted: number;
  /**
   * Cards with a fault; each counts once, however many it has.
   */
  refused: number;
  /**
   * Other contents of cards that were there.
   */
  corrected: number;
  /**
   * Contents that were submitted or sent on again after they were given up, rejected or withdrawn.
   */
  resent: number;
  withdrawn: number;
  delivered: number;
  /**
   * Delivered before midnight of the day on which the round was played.
   */
  onDayOfPlay: number;
  /**
   * Delivered later than that.
   */
  late: number;
  rejected: number;
  undelivered: number;
  /**
   * Delivered cards about whose player, marker or round something was found afterwards.
   */
  warned: number;
  /**
   * Delivered cards of players whom the union did not know.
   */
  playersUnknown: number;
  /**
   * Delivered cards that are in the player's record at the union.
   */
  recorded: number;
  /**
   * Delivered cards that are not in it, although they were looked for several times.
   */
  notRecorded: number;
  deliverySeconds?: DeliverySeconds;
}
export interface TournamentWarning {
  /**
   * One of the warnings in docs/faults.md; others may be added at any time.
   */
  code: string;
  cards: number;
}
export interface Refusal {
  /**
   * One of the faults in docs/faults.md; others may be added at any time.
   */
  code: string;
  cards: number;
  /**
   * Some of them, the newest first.
   */
  examples: RefusalExample[];
}
export interface RefusalExample {
  /**
   * Absent if the card had none that can be read.
   */
  externalId?: string;
  /**
   * JSON pointer into the card; empty for the whole card.
   */
  pointer: string;
  at: string;
}
export interface CardRefusal {
  /**
   * When the submission was refused.
   */
  at: string;
  /**
   * The submission's header x-amzn-RequestId.
   */
  requestId: string;
  tournament?: RefusalTournament;
  /**
   * Index of the card in the array, from 0.
   */
  index: number;
  externalId?: string;
  /**
   * JSON pointer into the card; empty for the whole card.
   */
  pointer: string;
  /**
   * One of those in docs/faults.md; others may be added at any time.
   */
  code: string;
  /**
   * What is wrong and what to change.
   */
  detail: string;
  /**
   * What would be right: any JSON value.
   */
  expected?: unknown;
  /**
   * What was sent: any JSON value.
   */
  received?: unknown;
}
/**
 * Absent if the card names no tournament.
 */
export interface RefusalTournament {
  id: string;
  name: string;
  /**
   * Day of play, or of the refusal if the card says none.
   */
  day: string;
  /**
   * 0 if the card has no TournamentRoundNumber from 1 to 99.
   */
  round: number;
}
export interface CardRefusalList {
  refusals: CardRefusal[];
  /**
   * Query of the next page; absent on the last. A page of a search can be empty and have one.
   */
  next?: string;
}
export interface Tournament {
  /**
   * Of the tournament, made from its name: stands for the name in paths, whatever characters that has.
   */
  id: string;
  /**
   * TournamentName as the cards have it, cut after 200 characters; absent if a person was erased from it.
   */
  name?: string;
  from: string;
  to: string;
  /**
   * IANA name.
   */
  timeZone: string;
  totals: TournamentCounts;
  /**
   * By day and round.
   */
  rounds: TournamentRound[];
  /**
   * The most frequent first.
   */
  warnings: TournamentWarning[];
  refused: TournamentRefusals;
  /**
   * The cards compared with the start lists of these days, if there are any; by their days.
   */
  startLists?: StartListReport[];
}
export interface TournamentCounts {
  /**
   * Accepted cards; the five states that follow add up to them.
   */
  cards: number;
  /**
   * Without an outcome yet.
   */
  waiting: number;
  delivered: number;
  rejected: number;
  undelivered: number;
  withdrawn: number;
  /**
   * Of the delivered ones, those in the player's record at the union.
   */
  recorded: number;
  /**
   * Of the delivered ones, those not in it, although they were looked for several times.
   */
  notRecorded: number;
  /**
   * Delivered cards of players whom the union did not know.
   */
  playersUnknown: number;
  /**
   * Cards with any warning.
   */
  warned: number;
}
export interface TournamentRound {
  /**
   * Day of play.
   */
  day: string;
  /**
   * TournamentRoundNumber; 0 if the cards have none from 1 to 99.
   */
  round: number;
  /**
   * Accepted cards; the five states that follow add up to them.
   */
  cards: number;
  /**
   * Without an outcome yet.
   */
  waiting: number;
  delivered: number;
  rejected: number;
  undelivered: number;
  withdrawn: number;
  /**
   * Of the delivered ones, those in the player's record at the union.
   */
  recorded: number;
  /**
   * Of the delivered ones, those not in it, although they were looked for several times.
   */
  notRecorded: number;
  /**
   * Delivered cards of players whom the union did not know.
   */
  playersUnknown: number;
  /**
   * Cards with any warning.
   */
  warned: number;
}
export interface TournamentRefusals {
  /**
   * Cards that were never accepted.
   */
  cards: number;
  /**
   * Corrections of cards that are accepted.
   */
  corrections: number;
  /**
   * The most frequent first.
   */
  byFault: TournamentFault[];
  /**
   * Up to 200 of both, the newest first.
   */
  latest: TournamentRefusal[];
  /**
   * False if there are more.
   */
  isComplete: boolean;
}
export interface TournamentFault {
  /**
   * One of the faults in docs/faults.md; others may be added at any time.
   */
  code: string;
  cards: number;
}
export interface TournamentRefusal {
  /**
   * Absent if the card had none that can be read.
   */
  externalId?: string;
  /**
   * Day of play, or of the refusal if the card says no day, or a later one.
   */
  day: string;
  /**
   * TournamentRoundNumber; absent if the card has none from 1 to 99.
   */
  round?: number;
  /**
   * When it was refused last.
   */
  at: string;
  /**
   * The submission's header x-amzn-RequestId.
   */
  requestId: string;
  /**
   * Index of the card in the submission, from 0.
   */
  index: number;
  /**
   * Whether an earlier content of the card is accepted, and this was a correction of it.
   */
  isCorrection: boolean;
  errors: Finding[];
}
export interface StartListReport {
  /**
   * First day of play of the list.
   */
  from: string;
  /**
   * Last day of play of the list; cards of all its days are compared.
   */
  to: string;
  /**
   * When the list is erased.
   */
  expiresAt: string;
  /**
   * By number.
   */
  rounds: ExpectedRound[];
  /**
   * False if the tournament has more cards than are compared, 10,000.
   */
  isComplete: boolean;
}
export interface ExpectedRound {
  /**
   * TournamentRoundNumber; 0 if the cards have none from 1 to 99.
   */
  round: number;
  /**
   * Players of the list.
   */
  players: number;
  /**
   * Those of them without a card that was delivered or may still be.
   */
  missing: number;
  /**
   * The first 500 of these, in the order of the list.
   */
  missingPlayers: MissingPlayer[];
  /**
   * Cards of players who are not in the list; withdrawn ones do not count.
   */
  unlisted: number;
  /**
   * ExternalIDs of the first 100 of these.
   */
  unlistedCards: string[];
}
export interface MissingPlayer {
  /**
   * The player's place in the list, from 0.
   */
  index: number;
  /**
   * As it was sent with the player.
   */
  label?: string;
  /**
   * `not_sent`: no card of the player was accepted; else what became of the player's card.
   */
  reason: "not_sent" | "withdrawn" | "rejected" | "undelivered";
}
export interface TournamentList {
  from: string;
  to: string;
  /**
   * IANA name.
   */
  timeZone: string;
  /**
   * The latest day first.
   */
  tournaments: TournamentSummary[];
  /**
   * False if so much was refused that `refused` may be too low.
   */
  isComplete: boolean;
  /**
   * Query of the next page; absent on the last.
   */
  next?: string;
}
export interface TournamentSummary {
  /**
   * Of the tournament, made from its name: stands for the name in paths, whatever characters that has.
   */
  id: string;
  /**
   * TournamentName as the cards have it, cut after 200 characters; absent if a person was erased from it.
   */
  name?: string;
  /**
   * Day of play, from the rounds' StartTime.
   */
  day: string;
  /**
   * Numbers of the rounds that have cards.
   */
  rounds: number[];
  /**
   * Accepted cards; the five states that follow add up to them.
   */
  cards: number;
  /**
   * Without an outcome yet.
   */
  waiting: number;
  delivered: number;
  rejected: number;
  undelivered: number;
  withdrawn: number;
  /**
   * Of the delivered ones, those in the player's record at the union.
   */
  recorded: number;
  /**
   * Of the delivered ones, those not in it, although they were looked for several times.
   */
  notRecorded: number;
  /**
   * Delivered cards of players whom the union did not know.
   */
  playersUnknown: number;
  /**
   * Cards with any warning.
   */
  warned: number;
  /**
   * The most frequent first.
   */
  warnings: TournamentWarning[];
  /**
   * Cards that were refused and not accepted since.
   */
  refused: number;
  startList?: ListedStartList;
}
/**
 * The start list that begins on this day, or before the first of the days that were asked for; absent if there is none. Whose card is missing is in the tournament itself.
 */
export interface ListedStartList {
  /**
   * First day of play of the list.
   */
  from: string;
  /**
   * Last day of play of the list.
   */
  to: string;
  /**
   * The rounds of which every player sends a card, if the list names them.
   */
  rounds?: number[];
  /**
   * Players of the list.
   */
  players: number;
}
export interface TournamentResult {
  /**
   * Length of the round.
   */
  holes: number;
  /**
   * Holes that were played, those that were picked up included.
   */
  played: number;
  /**
   * Par of the holes that were played.
   */
  par: number;
  /**
   * Stableford points.
   */
  points: number;
  /**
   * Strokes of the holes that were played; absent if the ball was picked up on any.
   */
  gross?: number;
  /**
   * The same less the strokes received on those holes off the Playing Handicap.
   */
  net?: number;
}
export interface TournamentCard {
  externalId: string;
  version: number;
  state: "queued" | "retrying" | "delivered" | "rejected" | "withdrawing" | "withdrawn" | "undelivered";
  /**
   * When its content was accepted, also if that was sent on again since.
   */
  acceptedAt: string;
  /**
   * When the state was recorded.
   */
  since: string;
  /**
   * Day of play.
   */
  day: string;
  /**
   * TournamentRoundNumber; absent if the card has none from 1 to 99.
   */
  round?: number;
  /**
   * Codes; the card's state has the details.
   */
  warnings: string[];
  /**
   * Whether it is in the player's record; absent while that is not known.
   */
  record?: "recorded" | "not_recorded";
  /**
   * Opaque; the same for all of your cards of one player.
   */
  player: string;
  /**
   * As the card has it.
   */
  playerName?: string;
  /**
   * As the card has it.
   */
  clubName?: string;
  playingHandicap?: number;
  result: TournamentResult;
}
export interface TournamentCardList {
  /**
   * In the order in which they came.
   */
  cards: TournamentCard[];
  /**
   * Query of the next page; absent on the last.
   */
  next?: string;
}
export interface StartListInput {
  /**
   * TournamentName, to be shown while no card has it, if the path has the tournament's ID instead of its name.
   */
  name?: string;
  /**
   * TournamentRoundNumbers of which each player sends a card; if left out, the rounds that have cards.
   *
   * @minItems 1
   * @maxItems 10
   */
  rounds?: number[];
  /**
   * @minItems 1
   * @maxItems 2000
   */
  players: StartListPlayer[];
}
export interface StartListPlayer {
  /**
   * As the card's Player.UnionID, in any spelling; only a keyed digest of it is kept.
   */
  unionId: string;
  /**
   * Your own for the player, such as a start number, never a name; missing players are told by it.
   */
  label?: string;
}
export interface StartList {
  /**
   * Of the tournament.
   */
  id: string;
  /**
   * First day of play of the list.
   */
  from: string;
  /**
   * Last day of play of the list.
   */
  to: string;
  rounds?: number[];
  /**
   * How many.
   */
  players: number;
  /**
   * When the list is erased: 30 days after its last day, or after it was sent.
   */
  expiresAt: string;
}
export interface ListedStartList1 {
  /**
   * First day of play of the list.
   */
  from: string;
  /**
   * Last day of play of the list.
   */
  to: string;
  /**
   * The rounds of which every player sends a card, if the list names them.
   */
  rounds?: number[];
  /**
   * Players of the list.
   */
  players: number;
}
export interface PlayerFault {
  /**
   * The player's place in the list, from 0.
   */
  index: number;
  /**
   * JSON pointer into the body.
   */
  pointer: string;
  /**
   * What is wrong and what to change.
   */
  detail: string;
}
export interface FeedPage {
  /**
   * The oldest first; 100 at most.
   */
  events: FeedEvent[];
  /**
   * Send it as `after` for what comes next. Store it when these events are done with.
   */
  cursor: string;
  /**
   * Whether there are further events now.
   */
  more: boolean;
  /**
   * When to ask again: 0 if there is more, 2 to 30 by the age of the newest event if not.
   */
  askAgainAfterSeconds: number;
}
export interface FeedEvent {
  /**
   * As webhooks have it; others may be added at any time.
   */
  type: string;
  /**
   * The same whenever the event is read.
   */
  id: string;
  timestamp: string;
  data: FeedEventData;
}
export interface FeedEventData {
  apiSet: string;
  /**
   * The card that it is about, one each.
   */
  cards?: EventCard[];
  paused?: DeliveryPause;
  unsent?: UnsentCards;
  endpoint?: ToldEndpoint;
}
export interface StoredScorecard {
  externalId: string;
  version: number;
  state: CardState;
  acceptedAt: string;
  /**
   * When the state was recorded.
   */
  since: string;
  /**
   * The latest last; failures of the last ten kinds.
   */
  posts: CardPosts[];
  record?: CardRecord;
  earlier: CardOutcome[];
  card: FilledScorecard;
  warnings: Finding[];
  derivation: Derivation;
}
/**
 * Posts of the card to the exchange, one after the other with the same result; without `error` it took the card.
 */
export interface CardPosts {
  version: number;
  at: string;
  /**
   * Of the last, if there were several.
   */
  until?: string;
  posts: number;
  error?: DeliveryError;
}
/**
 * RFC 9457, Problem Details for HTTP APIs.
 */
export interface Problem {
  /**
   * Type of the problem; about:blank if the status says it all. Others may be added at any time.
   */
  type: string;
  title: string;
  status: number;
  /**
   * What happened and what to do.
   */
  detail: string;
  /**
   * One entry per fault of a card.
   */
  errors?: Finding[];
  /**
   * Number of faults that do not fit into the response.
   */
  errorsLeftOut?: number;
  /**
   * The limit that the request exceeds.
   */
  limit?: string;
  /**
   * Every query parameter with a value that is not allowed.
   */
  parameters?: ParameterFault[];
  /**
   * Faults of a start list's players, the first 100.
   */
  players?: PlayerFault[];
  /**
   * Number of such faults that are left out.
   */
  playersLeftOut?: number;
  [k: string]: unknown;
}
export interface ParameterFault {
  parameter: string;
  detail: string;
  /**
   * Absent if it may be a person's number.
   */
  received?: string;
}
export interface Overview {
  stack: string;
  at: string;
  /**
   * The union's base address in use.
   */
  union: string;
  delivery: DeliveryState;
  queue: QueueState;
  breakers: OpenBreaker[];
  /**
   * The busiest today first.
   */
  vendors: VendorOverview[];
  objective: ObjectiveState;
  mirror: MirrorState;
  alarms: RingingAlarm[];
}
export interface DeliveryState {
  /**
   * Whether an operator has paused delivery, or its trigger is broken.
   */
  held: boolean;
  /**
   * State of the event source mapping, as Lambda names it.
   */
  eventSource: string;
}
export interface QueueState {
  waiting: number;
  /**
   * Messages that wait for their next attempt.
   */
  delayed: number;
  inFlight: number;
  deadLetters: number;
  /**
   * Age of the oldest card or message, as far as it is known.
   */
  oldestSeconds?: number;
  /**
   * Cards that wait though neither queue has a message; absent if there are none. If it stays for more than a second, messages were lost.
   */
  cardsWithoutMessage?: number;
}
export interface OpenBreaker {
  apiSet: string;
  since: string;
  nextAttemptAt: string;
  /**
   * HTTP status of the exchange, if it answered.
   */
  status?: number;
  message: string;
}
export interface VendorOverview {
  username: string;
  apiSet: string;
  disabled: boolean;
  today: VendorDay;
  /**
   * Cards that have no outcome yet, whenever they were accepted.
   */
  waiting: number;
}
export interface VendorDay {
  accepted: number;
  refused: number;
  delivered: number;
  /**
   * Those of the delivered that came after midnight of their day of play.
   */
  late: number;
  rejected: number;
  undelivered: number;
}
export interface ObjectiveState {
  /**
   * Cards delivered in 30 days.
   */
  delivered: number;
  /**
   * Those of them that took more than five minutes, outages of the union apart.
   */
  delayed: number;
  /**
   * The share that was in time; absent if nothing was delivered.
   */
  share?: number;
  /**
   * The share of the error budget that is used up: 1 is all of it.
   */
  budgetUsed: number;
  burnRates: BurnRates;
}
export interface BurnRates {
  /**
   * Now, in times of what the objective allows.
   */
  fast: number;
  /**
   * In three days.
   */
  slow: number;
}
export interface MirrorState {
  clubs: number;
  failing: number;
  /**
   * Of the club whose last sync is longest ago.
   */
  ageSeconds?: number;
  /**
   * Why the list of clubs could not be read; if it could, why most failing clubs could not.
   */
  failure?: string;
}
export interface RingingAlarm {
  name: string;
  since?: string;
  /**
   * Ends with the address of the runbook's section.
   */
  text: string;
}
