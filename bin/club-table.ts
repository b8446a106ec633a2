import type { StandIn, UnionMember } from "@scorecard-pipeline/stand-in";
import { playableTee } from "../local/pipeline/minimal-card.ts";
import { markerOf } from "../unions/conformance/smallest-card.ts";

const players = 12;
const day = 86_400_000;

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** What a spreadsheet makes of a member number that could be a day and a month. */
function asDate(unionId: string): string {
  const [dayOfMonth = "", month = ""] = unionId.split("-");
  return `${dayOfMonth.padStart(2, "0")}-${months[Number(month) - 1]}`;
}

const toGender = ({ Gender }: UnionMember) => (Gender === "Female" ? 1 : 2);

/**
 * The table that a club exports after its championship: titles, men and women, a dash where a ball was picked up, and a member number
 * that a spreadsheet made a date.
 *
 * @returns with it the number of that member
 */
export function writeClubTable({ members, clubs, ...standIn }: StandIn): {
  readonly text: string;
  readonly damaged: string;
} {
  const { course } = playableTee({ members, clubs, ...standIn });
  const club = clubs.find(({ ID }) => ID === course.ClubID)?.Name ?? "";
  const field = members
    .filter(
      (one) =>
        one.HandicapStatus === 3 &&
        one.RightToPlay &&
        one.Memberships[0]?.UnionID !== undefined &&
        course.Tees.some(({ Gender }) => Gender === toGender(one)),
    )
    .slice(0, players);
  const played = new Date(Date.now() - day).toISOString().slice(0, 10);
  const numbers = field.map((member) => markerOf(member).UnionID);
  const damaged = numbers.find((number) => /^([12]?[1-9])-([1-9]|1[0-2])$/.test(number)) ?? "";
  const rows = field.map((member, place) => {
    const tee = course.Tees.find(({ Gender }) => Gender === toGender(member));
    const { FullName, UnionID } = markerOf(member);
    const extra = Math.round(Number(member.Handicap) / 8_000);
    const luck = (hole: number) =>
      ((hole + place) % 5 === 0 ? 1 : 0) - ((hole * 5 + place) % 9 === 0 ? 1 : 0);
    const strokes =
      tee?.Holes.map(
        ({ Par }, hole) => Par + Math.floor(extra / 18) + ((hole * 7) % 18 < extra % 18 ? 1 : 0) + luck(hole),
      ) ?? [];
    const isPickedUp = (hole: number) => (place * 7) % 18 === hole && place % 4 === 1;
    const marker = field[(place + 1) % field.length];
    return [
      FullName,
      UnionID === damaged ? asDate(UnionID) : UnionID,
      (Number(member.Handicap) / 10_000).toFixed(1),
      tee?.Name ?? "",
      played,
      marker === undefined ? "" : markerOf(marker).FullName,
      ...strokes.map((one, hole) => (isPickedUp(hole) ? "-" : String(one))),
    ];
  });
  const heading = ["Player", "Member No", "Handicap Index", "Tee", "Date", "Marker"];
  const holes = Array.from({ length: 18 }, (_, hole) => String(hole + 1));
  const text = [["Club Championship"], [`${club}, ${course.Name}`], [...heading, ...holes], ...rows]
    .map((cells) => cells.join(";"))
    .join("\r\n");
  return { text, damaged };
}
