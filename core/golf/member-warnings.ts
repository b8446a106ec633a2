import { unionIdKey } from "../formats/identifiers.ts";
import { isTenThousandths } from "../formats/ten-thousandths.ts";
import { isTimestamp } from "../formats/union-time.ts";
import type { Finding } from "./findings.ts";
import { isOtherPerson, type NamedPerson, type RegisteredPerson } from "./same-person.ts";
import { unknownPlayer } from "./unknown-player.ts";

/** The fields of a member that a card is compared with. The union's data are not always as documented, so each may be anything. */
export interface MemberFields extends RegisteredPerson {
  readonly Gender?: unknown;
  readonly Handicap?: unknown;
  readonly HandicapDato?: unknown;
  readonly HandicapStatus?: unknown;
  readonly RightToPlay?: unknown;
  readonly Memberships?: unknown;
}

/** The fields of a card that are compared with its player and marker at the union. */
export interface PlayersCard {
  readonly HCP?: unknown;
  readonly Round?: { readonly StartTime?: unknown };
  readonly Player?: NamedPerson & { readonly UnionID?: unknown };
  readonly Marker?: NamedPerson & { readonly UnionID?: unknown };
}

/** Why no handicap may come of a card, by what the union says of its player and marker. */
export const memberWarningCodes = [
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
] as const;

/** The code of such a warning. */
export type MemberWarningCode = (typeof memberWarningCodes)[number];

/** A doubt about a card's player or marker. The values are of a person: they are told to the vendor, and never stored. */
export interface MemberDoubt {
  readonly code: MemberWarningCode;
  readonly expected?: unknown;
  readonly received?: unknown;
}

/** Frozen, frozen up, frozen down, suspended. @see union-api, Handicap status values */
const handicapsThatStay: readonly unknown[] = [4, 5, 6, 8];
const unallocated = 9;
const former = 7;
const genders = { Female: 1, Male: 2 } as const;

/**
 * Compares a card with its player's record at the union.
 *
 * @param teeGender of the tee in the register, 1 female and 2 male; undefined if it is not known
 * @param scoresForHandicap that a player's first Handicap Index takes at the union: after one, any card may give it
 */
export function doubtsAboutMember(
  card: PlayersCard,
  member: MemberFields,
  teeGender: unknown,
  scoresForHandicap: number,
): MemberDoubt[] {
  const { Player = {}, Marker = {} } = card;
  const doubts: MemberDoubt[] = [];
  if (isOtherPerson(Player, member)) doubts.push({ code: "player_differs" });
  // With a LifeTimeID of the player in the card, the submission has compared the two.
  const isMarker = Marker.LifeTimeID !== undefined && Marker.LifeTimeID === member.LifeTimeID;
  if (isMarker && Player.LifeTimeID === undefined) doubts.push({ code: "marker_is_player" });
  const gender = genders[member.Gender as keyof typeof genders] as number | undefined;
  if (gender !== undefined && (teeGender === 1 || teeGender === 2) && gender !== teeGender)
    doubts.push({ code: "tee_gender_differs" });
  const { HandicapStatus: status } = member;
  if (handicapsThatStay.includes(status) || (status === unallocated && scoresForHandicap > 1))
    doubts.push({ code: "handicap_status" });
  if (member.RightToPlay === false) doubts.push({ code: "no_right_to_play" });
  if (hasEnded(card, member)) doubts.push({ code: "membership_ended" });
  const handicap = handicapAtStart(card, member);
  if (handicap !== undefined && isTenThousandths(card.HCP) && Number(card.HCP) !== Number(handicap))
    doubts.push({ code: "handicap_differs", expected: handicap, received: card.HCP });
  return doubts;
}

function hasEnded({ Player }: PlayersCard, { Memberships }: MemberFields): boolean {
  if (!Array.isArray(Memberships) || typeof Player?.UnionID !== "string") return false;
  const key = unionIdKey(Player.UnionID);
  return Memberships.some(
    (membership: { readonly UnionID?: unknown; readonly Type?: unknown } | null) =>
      typeof membership?.UnionID === "string" &&
      unionIdKey(membership.UnionID) === key &&
      membership.Type === former,
  );
}

/** The player's Handicap Index when the round began; undefined if it may have been another one, or there was none. */
function handicapAtStart(card: PlayersCard, member: MemberFields): unknown {
  const { Handicap, HandicapDato, HandicapStatus } = member;
  const { StartTime } = card.Round ?? {};
  if (!isTenThousandths(Handicap) || HandicapStatus === unallocated) return undefined;
  if (typeof HandicapDato !== "string" || !isTimestamp(HandicapDato) || typeof StartTime !== "string")
    return undefined;
  // Timestamps are in the order of their texts.
  return HandicapDato <= StartTime ? Handicap : undefined;
}

const pointers = {
  tee_gender_differs: "/Course/TeeID",
  handicap_status: "/Player/UnionID",
  no_right_to_play: "/Player/UnionID",
  membership_ended: "/Player/UnionID",
  handicap_differs: "/HCP",
  marker_unknown: "/Marker/UnionID",
  player_differs: "/Player/UnionID",
  marker_differs: "/Marker/UnionID",
  marker_is_player: "/Marker",
} as const;

const details = {
  tee_gender_differs:
    "The union has the player with another gender than the register has the tee, whose rating is that gender's: the union may calculate no handicap. Send the tee of the same name that is rated for the player, by its TeeID; if the register's Gender is wrong, nothing is to be corrected.",
  handicap_status:
    "By the union the player's handicap is frozen, suspended or not allocated, so the card may not change it. Nothing is to be corrected in the card; the player's club can say why.",
  no_right_to_play:
    "By the union the player has no national playing right, so it may calculate no handicap from the card. Nothing is to be corrected in the card; the player's club can say why.",
  membership_ended:
    "By the union the membership with this UnionID has ended. Send the UnionID of a membership that the player has now.",
  handicap_differs:
    "HCP is not the Handicap Index that the union has had for the player since before the round. Send that, which GET Clubs/Golfer answers, and CourseHandicap by it; if the round was played off another one, nothing is to be corrected.",
  marker_unknown:
    "The union knows nobody with the marker's UnionID. Send the right number, or the marker's FullName instead. If the marker is a member of another union, nothing is to be corrected.",
  player_differs:
    "The union has another person under the player's UnionID than the LifeTimeID or the name in the card says, and calculates that person's handicap. Send the UnionID of the player. If it is the same person under another name, nothing is to be corrected.",
  marker_differs:
    "The union has another person under the marker's UnionID than the LifeTimeID or the name in the card says. Send the UnionID of the marker. If it is the same person under another name, nothing is to be corrected.",
  marker_is_player:
    "By the union the marker's LifeTimeID is the player's, but a score must be certified by somebody else (Rules of Handicapping 2.1 and 4.4). Send who marked the card.",
} as const;

/** The warning about a doubt, without a word of the member but the values of the doubt. */
export function memberWarning(index: number, externalId: string, { code, ...values }: MemberDoubt): Finding {
  if (code === "player_unknown") return unknownPlayer(index, externalId);
  return { index, externalId, pointer: pointers[code], code, detail: details[code], ...values };
}
