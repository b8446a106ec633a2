import { hash } from "node:crypto";
import { parse } from "uuid";
import type { AccountClub, ApiSet } from "../accounts/account.ts";
import { type Guid, isGuid } from "../formats/identifiers.ts";
import { type CourseVersion, clubNameOf, clubOf } from "./course.ts";
import type { FilledIn } from "./field-forms.ts";
import { type Allocation, type RoundScore, sum, totalStrokes } from "./score-round.ts";
import {
  type CardHole,
  type fields,
  isCompleteCourse,
  isCompleteHole,
  isCompleteResult,
  type Scorecard,
} from "./scorecard.ts";
import type { CompleteHoles } from "./tee-numbers.ts";
import { placesInRegister, type RegisteredTee } from "./tee-of-card.ts";

/** The sources of the fields that a card leaves out. */
export interface Derived {
  readonly apiSet: ApiSet;
  /** The union's own country. */
  readonly country: string;
  /** The club to which the sender's account is bound, which may share the course with others. */
  readonly club?: AccountClub | undefined;
  /** The tee in the union's register; undefined on an unlisted course. */
  readonly tee: RegisteredTee | undefined;
  /** The course version that the round was played on, which has the names. */
  readonly version: CourseVersion | undefined;
  readonly holes: CompleteHoles;
  readonly score: RoundScore;
  readonly allocation: Allocation;
}

/**
 * Fills in the fields that a valid card leaves out. Fields that were sent stay as they are, even a null or a number
 * written as text; filled-in values have the types of the union's document.
 *
 * @returns the card itself if it leaves out nothing
 */
export function fillCard(card: Scorecard, derived: Derived): Scorecard {
  const { apiSet, allocation, score } = derived;
  const { points } = allocation;
  const course = fillCourse(card.Course, derived);
  const result = isCompleteResult(card.Result)
    ? card.Result
    : filled(card.Result, {
        Points: points as number[],
        TotalPoints: sum(points),
        TotalStrokes: totalStrokes(card.Result.Strokes),
        NetDoubleBogeyGross: score.netDoubleBogeyGross,
      } satisfies FilledIn<typeof fields.result>);
  const whole = filled(card, {
    ID: card.ID ?? cardId(apiSet, card.ExternalID),
    PHCP: allocation.handicap,
  } satisfies FilledIn<typeof fields.card>);
  if (course === card.Course && result === card.Result) return whole;
  // Another copy of a card with thousands of other fields would take long.
  const copy = whole === card ? { ...card } : whole;
  copy.Course = course;
  copy.Result = result;
  return copy;
}

function fillCourse(sent: Scorecard["Course"], derived: Derived): Scorecard["Course"] {
  const withHoles = fillHoles(sent.Holes, derived);
  if (withHoles === sent.Holes && isCompleteCourse(sent)) return sent;
  const { country, club, holes, tee, version } = derived;
  const par = { TeePar: sum(holes.pars) };
  const named =
    tee === undefined || version === undefined
      ? filled(sent, par)
      : filled(sent, {
          ...par,
          CourseID: sent.CourseID ?? guid(version.TemplateID),
          ClubID: sent.ClubID ?? guid(clubOf(version, club?.id)),
          ClubName: text(clubNameOf(version, sent.ClubID ?? clubOf(version, club?.id))),
          Name: text(version.Name),
          Country: country,
          TeeID: sent.TeeID ?? guid(tee.tee.ID),
          TeeName: text(tee.tee.Name),
          TeeRating: tee.numbers.rating?.toString(),
          TeeSlope: tee.numbers.slope,
        } satisfies Omit<FilledIn<typeof fields.course>, "Holes">);
  return withHoles === sent.Holes ? named : { ...named, Holes: withHoles };
}

function fillHoles(sent: CardHole[] | undefined, { tee, holes, allocation }: Derived): CardHole[] {
  if (sent?.every(isCompleteHole)) return sent;
  const numbers = tee?.numbers.holes.length === holes.pars.length ? tee.numbers : undefined;
  const places = sent && numbers && placesInRegister(sent, numbers);
  return holes.pars.map((Par, hole) => {
    const place = places?.[hole] ?? hole;
    const derived = {
      Number: numbers?.numbers[place] ?? hole + 1,
      Par,
      Index: holes.isUnranked ? undefined : holes.indexes[hole],
      Length: numbers?.lengths[place],
      SPH: allocation.strokes[hole],
    } satisfies FilledIn<typeof fields.hole>;
    // A card without holes gets these as they are, which is much faster than copying them field by field.
    const sentHole = sent?.[hole];
    return sentHole === undefined && derived.Length !== undefined ? derived : filled(sentHole ?? {}, derived);
  });
}

/** The register is dirty: a value that is not a text or not a GUID is not filled in. */
const text = (value: unknown) => (typeof value === "string" ? value : undefined);
const guid = (value: unknown) => (typeof value === "string" && isGuid(value) ? value : undefined);

/** An object with the derived fields that it leaves out; the object itself if it leaves out none. */
function filled<T extends object>(sent: T, derived: { readonly [Name in keyof T]?: T[Name] | undefined }): T {
  let result = sent;
  for (const name in derived) {
    const value = derived[name];
    if (value === undefined || sent[name] !== undefined) continue;
    if (result === sent) result = { ...sent };
    result[name] = value;
  }
  return result;
}

/** Our own namespace for the IDs of cards. It must never change: a card sent again would get another ID. */
const cards = parse("5e0c9c57-4a54-4f3e-9d0f-0c3a8a1b7e64");

/**
 * The ID of a card whose sender gives it none, a UUID of version 5: the same for the same vendor and ExternalID. The library's `v5`
 * takes three times as long, since it makes an object for each hash.
 *
 * @see RFC 9562, 5.5
 */
function cardId(apiSet: ApiSet, externalId: string): Guid {
  const name = Buffer.from(`${apiSet}/${externalId}`);
  const digits = hash("sha1", Buffer.concat([cards, name]), "hex");
  const variant = "89ab"[Number.parseInt(digits.charAt(16), 16) % 4];
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-5${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}` as Guid;
}
