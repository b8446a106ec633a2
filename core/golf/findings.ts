/** Why a card is refused. Each is described, with an example, in docs/faults.md. */
export const faultCodes = [
  "not_an_object",
  "required",
  "wrong_type",
  "guid_invalid",
  "timestamp_invalid",
  "ten_thousandths_invalid",
  "lifetime_id_invalid",
  "union_id_invalid",
  "country_invalid",
  "external_id_invalid",
  "external_id_garbled",
  "sandbox_id",
  "field_twice",
  "slope_invalid",
  "value_not_allowed",
  "out_of_range",
  "marker_unidentified",
  "card_too_large",
  "card_too_deep",
  "duplicate_external_id",
  "external_id_reused",
  "start_in_future",
  "course_unknown",
  "course_removed",
  "club_mismatch",
  "other_club",
  "version_not_in_force",
  "course_register_incomplete",
  "tee_unknown",
  "tee_ambiguous",
  "tee_rating_mismatch",
  "tee_slope_mismatch",
  "hole_par_mismatch",
  "hole_index_mismatch",
  "holes_count",
  "strokes_count",
  "points_count",
  "stroke_index_repeated",
  "no_hole_played",
  "holes_played_mismatch",
  "total_mismatch",
] as const;

/** Warnings by what the union says of a card's player and marker. */
export const playersWarningCodes = [
  "player_unknown",
  "tee_gender_differs",
  "handicap_status",
  "no_right_to_play",
  "membership_ended",
  "handicap_differs",
  "marker_unknown",
  "player_differs",
  "marker_differs",
] as const;

/** Why an accepted card should be checked. Each is described, with an example, in docs/faults.md. */
export const warningCodes = [
  "text_garbled",
  "duplicate_id",
  "version_inactive",
  "version_activated_later",
  "version_differs",
  "numbers_of_other_version",
  "tee_of_other_version",
  "club_differs",
  "course_name_differs",
  "club_name_differs",
  "tee_name_differs",
  "hole_numbers_differ",
  "hole_numbers_repeated",
  "holes_rotated",
  "course_id_missing",
  "field_misspelt",
  "token_not_used",
  "tee_unrated",
  "tee_incomplete",
  "par_unusual",
  "rating_not_a_tenth",
  "rating_unlikely",
  "start_long_ago",
  "create_time_unlikely",
  "round_not_over",
  "strokes_unlikely",
  "score_exceptional",
  "picked_up_many",
  "not_played_between",
  "marker_is_player",
  "player_changed",
  "club_number_unknown",
  "handicap_not_a_tenth",
  "handicap_unlikely",
  "course_handicap_differs",
  "playing_handicap_unlikely",
  "nine_holes_unrated",
  "strokes_received_differ",
  "points_differ",
  "total_strokes_differ",
  "net_double_bogey_differs",
  "round_too_short",
  "course_not_qualifying",
  "round_seen",
  "rounds_overlap",
  "rounds_many",
  ...playersWarningCodes,
  "not_recorded",
  "recorded_twice",
] as const;

/** A reason to refuse a card. */
export type FaultCode = (typeof faultCodes)[number];

/** A reason to check an accepted card. */
export type WarningCode = (typeof warningCodes)[number];

/** A fault or a warning of one card, with what its sender needs to act on it. */
export interface Finding {
  /** Index of the card in the submission, from 0. */
  readonly index: number;
  /** The card's ExternalID, if it has one that can be read. */
  readonly externalId?: string;
  /** Position in the card, as a JSON pointer; empty for the whole card. @see RFC 6901 */
  readonly pointer: string;
  readonly code: FaultCode | WarningCode;
  /** What is wrong and what to change, for the vendor's developer. Never holds data of a person. */
  readonly detail: string;
  /** What would have been right, if there is such a value. */
  readonly expected?: unknown;
  /** What was sent, if it is short and no data of a person. */
  readonly received?: unknown;
}

type Values = Pick<Finding, "expected" | "received">;

/** Collects the faults and warnings of one card. */
export interface Findings {
  readonly faults: Finding[];
  readonly warnings: Finding[];
  fault(pointer: string, code: FaultCode, detail: string, values?: Values): void;
  warn(pointer: string, code: WarningCode, detail: string, values?: Values): void;
}
