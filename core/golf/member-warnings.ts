import { unionIdKey } from "../formats/identifiers.ts";
import {
  isOtherPerson,
  isSameFullName,
  type NamedPerson,
  type RegisteredPerson,
} from "../formats/same-person.ts";
import { isTenThousandths } from "../formats/ten-thousandths.ts";
import { isTimestamp } from "../formats/union-time.ts";
import { type Finding, playersWarningCodes } from "./findings.ts";

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
export const memberWarningCodes = [...playersWarningCodes, "marker_is_player"] as const;

/** The code of such a warning. */
export type MemberWarningCode = (typeof memberWarningCodes)[number];

/** A doubt about a card's player or marker. The values are of a person: they are told to the vendor, and never stored. */
export interface MemberDoubt {
  readonly code: MemberWarningCode;
  readonly expected?: unknown;
  readonly received?: unknown;
  /** The day of the union's answer, e.g. `2026-07-04`, if it was remembered. */
  readonly asOf?: string;
}

/** What the union says of a player that concerns every card, as far as it is remembered: no number and no name. */
export interface PlayerJudgement {
  /** 1 female, 2 male. @see union-api, Tee */
  readonly gender?: 1 | 2;
  readonly handicapStatus?: number;
  /** The player has no national playing right. */
  readonly hasNoRight?: true;
  /** The membership has ended. */
  readonly hasEnded?: true;
}

/** Frozen, frozen up, frozen down, suspended. @see union-api, Handicap status values */
const handicapsThatStay: readonly unknown[] = [4, 5, 6, 8];
const unallocated = 9;
const former = 7;
const genders: Readonly<Record<string, 1 | 2>> = { female: 1, f: 1, male: 2, m: 2, "1": 1, "2": 2 };
const falses = ["false", "0"];

const plainText = (value: unknown) => String(value).trim().toLowerCase();
/** A figure that the union may have as a text. */
const figure = (value: unknown) => (/^\d+$/.test(plainText(value)) ? Number(value) : undefined);

/** What is remembered of a member. @param unionId of the membership under which the player is on cards */
export function judgementOf(member: MemberFields, unionId: unknown): PlayerJudgement {
  const { Gender, HandicapStatus, RightToPlay } = member;
  const gender = genders[plainText(Gender)];
  const handicapStatus = figure(HandicapStatus);
  return {
    ...(gender && { gender }),
    ...(handicapStatus !== undefined && { handicapStatus }),
    ...(falses.includes(plainText(RightToPlay)) && { hasNoRight: true }),
    ...(hasEnded(unionId, member) && { hasEnded: true }),
  };
}

/**
 * What a judgement of a player says of a card.
 *
 * @param teeGender of the tee in the register, 1 female and 2 male; undefined if it is not known
 * @param scoresForHandicap that a player's first Handicap Index takes at the union: after one, any card may give it
 */
export function doubtsOfJudgement(
  { gender, handicapStatus, hasNoRight, hasEnded }: PlayerJudgement,
  teeGender: unknown,
  scoresForHandicap: number,
): MemberDoubt[] {
  const isOtherGender = gender !== undefined && (teeGender === 1 || teeGender === 2) && gender !== teeGender;
  const stays =
    handicapsThatStay.includes(handicapStatus) || (handicapStatus === unallocated && scoresForHandicap > 1);
  const found: readonly (readonly [code: MemberWarningCode, isFound: boolean])[] = [
    ["tee_gender_differs", isOtherGender],
    ["handicap_status", stays],
    ["no_right_to_play", hasNoRight === true],
    ["membership_ended", hasEnded === true],
  ];
  return found.flatMap(([code, isFound]) => (isFound ? [{ code }] : []));
}

/** Compares a card with its player's record at the union. The parameters are those of `doubtsOfJudgement`. */
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
  const isMarkersNumber =
    unionIdKey(String(Marker.UnionID)) !== unionIdKey(String(Player.UnionID)) &&
    membershipsWith(Marker.UnionID, member).length > 0;
  const isNamedAlike =
    Player.FullName === undefined &&
    (Marker.LifeTimeID === undefined || isMarker) &&
    isSameFullName(Marker.FullName, `${member.FirstName ?? ""} ${member.LastName ?? ""}`);
  if ((isMarker && Player.LifeTimeID === undefined) || isMarkersNumber || isNamedAlike)
    doubts.push({ code: "marker_is_player" });
  doubts.push(...doubtsOfJudgement(judgementOf(member, Player.UnionID), teeGender, scoresForHandicap));
  const handicap = handicapAtStart(card, member);
  if (handicap !== undefined && isTenThousandths(card.HCP) && Number(card.HCP) !== Number(handicap))
    doubts.push({ code: "handicap_differs", expected: handicap, received: card.HCP });
  return doubts;
}

function membershipsWith(unionId: unknown, { Memberships }: MemberFields): { readonly Type?: unknown }[] {
  if (!Array.isArray(Memberships) || typeof unionId !== "string") return [];
  const key = unionIdKey(unionId);
  return Memberships.filter(
    (membership: { readonly UnionID?: unknown } | null) =>
      typeof membership?.UnionID === "string" && unionIdKey(membership.UnionID) === key,
  );
}

/** Whether all memberships with this UnionID are former ones: a number may be given again. */
function hasEnded(unionId: unknown, member: MemberFields): boolean {
  const own = membershipsWith(unionId, member);
  return own.length > 0 && own.every(({ Type }) => figure(Type) === former);
}

/** The player's Handicap Index when the round began; undefined if it may have been another one, or there was none. */
function handicapAtStart(card: PlayersCard, member: MemberFields): unknown {
  const { Handicap, HandicapDato, HandicapStatus } = member;
  const { StartTime } = card.Round ?? {};
  if (!isTenThousandths(Handicap) || figure(HandicapStatus) === unallocated) return undefined;
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
    "By the union the marker's LifeTimeID or name is the player's, but a score must be certified by somebody else (Rules of Handicapping 2.1 and 4.4). Send who marked the card.",
} as const;

/** The warning about a card whose player the union does not know. It does not repeat the number, which is personal data. */
export const unknownPlayer = (index: number, externalId: string): Finding => ({
  index,
  externalId,
  pointer: "/Player/UnionID",
  code: "player_unknown",
  detail:
    "The union knows nobody with this UnionID. The exchange takes the card all the same, and no handicap is calculated from it. Check the number, and send the card with the right one.",
});

/** The warning about a doubt, without a word of the member but the values of the doubt. */
export function memberWarning(
  index: number,
  externalId: string,
  { code, asOf, ...values }: MemberDoubt,
): Finding {
  if (code === "player_unknown") return unknownPlayer(index, externalId);
  const detail = asOf === undefined ? details[code] : `${details[code]} The union said so on ${asOf}.`;
  return { index, externalId, pointer: pointers[code], code, detail, ...values };
}
