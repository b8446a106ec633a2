import { maxHandicapIndex } from "@scorecard-pipeline/whs";
import { identifier } from "../base/identifier.ts";
import { type SeededRandom, seededRandom } from "../base/seeded-random.ts";
import { timestamp } from "../base/union-time.ts";
import { handicapStatus } from "../handicap/handicap-status.ts";
import { membershipType } from "./membership-type.ts";
import type { Membership, MembershipClub, UnionClub, UnionMember } from "./records.ts";

/** First names of people who do not exist, by the gender of the register. */
const firstNames = {
  Male: "Aksel Anders Asger Bjarke Carsten Emil Flemming Frederik Gorm Henrik Jakob Jens Johan Kasper Kjeld Lars Leif Mads Mikkel Niels Ole Otto Peder Rasmus Sigurd Steen Søren Thomas Troels Viggo".split(
    " ",
  ),
  Female:
    "Agnes Anna Astrid Birgit Camilla Ditte Else Emma Freja Gerda Hanne Ida Inger Johanne Karen Kirsten Laura Lise Maja Mette Nanna Oda Pernille Rikke Sidsel Signe Sofie Tove Ulla Vibeke".split(
      " ",
    ),
} as const;

/** Their last names. */
const lastNames =
  "Aagaard Birkedal Bjerregaard Dalsgaard Elkjær Fabricius Gravgaard Hjortkær Iversgaard Juelsbo Kirkeskov Lundholm Mosegaard Nørlund Overgaard Pilegaard Ravnsborg Skovbakke Søndermark Tangholm Ulvsbjerg Vinterby Westergren Østerlund".split(
    " ",
  );

const asMembershipClub = ({ ID, Name, ShortName, UnionNumber, Union }: UnionClub): MembershipClub => ({
  ID,
  Name,
  ShortName,
  UnionNumber,
  Union,
});

const membershipTypes: readonly (readonly [type: number, weight: number])[] = [
  [membershipType.full, 70],
  [membershipType.flex, 14],
  [membershipType.longDistance, 4],
  [membershipType.trial, 3],
  [membershipType.passive, 4],
  [membershipType.juniorWithoutCoursePermission, 2],
  [membershipType.former, 3],
];

/** Normal, then frozen ones, suspended and unallocated; the old statuses are dying out. */
const handicapStatuses: readonly (readonly [status: number, weight: number])[] = [
  [3, 90],
  [1, 1],
  [2, 1],
  [4, 2],
  [5, 1],
  [6, 1],
  [8, 1],
  [9, 3],
];

/** Handicap Index in tenths, from plus 4.0 to 54.0: most between 12 and 36. */
function handicapTenths(random: SeededRandom): number {
  const beginner = random.chance(0.05);
  const index = beginner ? 54 : random.chance(0.06) ? random.around(-0.5, 2) : random.around(23, 10);
  return Math.round(Math.min(54, Math.max(-4, index)) * 10);
}

function birthDate(year: number, random: SeededRandom): Date {
  const age = random.weighted([
    [random.whole(11, 20), 8],
    [random.whole(21, 45), 27],
    [random.whole(46, 65), 40],
    [random.whole(66, 86), 25],
  ]);
  return new Date(Date.UTC(year - age, random.whole(0, 11), random.whole(1, 28)));
}

/** ddmmyy, the start of a LifeTimeID. */
function birthDigits(date: Date): string {
  const [year = "", month = "", day = ""] = date.toISOString().slice(0, 10).split("-");
  return `${day}${month}${year.slice(2)}`;
}

/**
 * Invents members, each with one home club and some with a second membership.
 *
 * @param clubs to be members of; empty for no members
 * @param year the current one
 */
export function inventMembers(
  seed: number,
  count: number,
  clubs: readonly UnionClub[],
  year: number,
): UnionMember[] {
  const numbersByClub = new Map<string, number>();
  const next = (of: string, first: number) => {
    const number = numbersByClub.get(of) ?? first;
    numbersByClub.set(of, number + 1);
    return number;
  };
  return Array.from({ length: clubs.length === 0 ? 0 : count }, (_, place): UnionMember => {
    const random = seededRandom(seed, "member", place);
    const id = identifier(seed, "member", place);
    const gender = random.chance(0.7) ? "Male" : "Female";
    const firstName = random.oneOf(firstNames[gender]);
    const lastName = random.oneOf(lastNames);
    const born = birthDate(year, random);
    const digits = birthDigits(born);
    const [home, other] = random.shuffled(clubs);
    const membership = (club: UnionClub, homeClub: UnionClub): Membership => {
      const type = random.weighted(membershipTypes);
      return {
        ID: identifier(id, "membership", club.ID),
        IsHomeClub: club === homeClub,
        LocalRightToPlay: type !== membershipType.passive && type !== membershipType.former,
        Type: club === homeClub && type === membershipType.former ? membershipType.full : type,
        UnionID: `${club.UnionNumber}-${next(club.ID, 1)}`,
        Club: asMembershipClub(club),
        HomeClub: asMembershipClub(homeClub),
      };
    };
    const memberships = home === undefined ? [] : [membership(home, home)];
    if (home !== undefined && other !== undefined && random.chance(0.12))
      memberships.push(membership(other, home));
    const status = random.weighted(handicapStatuses);
    const tenths = handicapTenths(random);
    return {
      ID: id,
      LifeTimeID: `${digits}-${String(next(digits, 1)).padStart(3, "0")}`,
      FirstName: firstName,
      LastName: lastName,
      Gender: gender,
      BirthDate: timestamp(born),
      Email: `player${place + 1}@members.example`,
      RightToPlay: random.chance(0.95),
      Status: random.chance(0.01) ? 2 : 1,
      PlayerStatus: 1,
      Handicap: String(status === handicapStatus.unallocated ? maxHandicapIndex : tenths * 1_000),
      HandicapStatus: status,
      HandicapDato: timestamp(new Date(Date.UTC(year - 1, random.whole(3, 9), random.whole(1, 28)))),
      Memberships: memberships,
    };
  });
}
