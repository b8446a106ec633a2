import { identifier } from "../base/identifier.ts";
import { seededRandom } from "../base/seeded-random.ts";
import type { UnionClub } from "./records.ts";

const beginnings =
  "Alke Birke Dyre Eske Falke Gærde Hassel Jætte Krage Lærke Mejse Nøkke Odder Pile Ravne Sølv Tjørne Ulve Vibe Ørne".split(
    " ",
  );
const endings = "bakken dalen høj kilde lunden mosen næs sund vang vig".split(" ");
const suffixes = ["Golfklub", "Golfklub", "Golf Club", "Golfklub", "Golf"];
const quarters = ["", " Nord", " Syd", " Øst", " Vest"];

/** Places that do not exist, as many as there are clubs. */
const places = beginnings.length * endings.length;

/** An invented place in Denmark, e.g. "Lærkemosen"; each number has another one. */
function placeName(number: number): string {
  const block = Math.floor(number / beginnings.length);
  // Seven and three are coprime to the lists' lengths: neighbours sound unlike each other, and no name comes twice.
  const beginning = beginnings[(number * 7) % beginnings.length] ?? "";
  const ending = endings[(number * 3 + block) % endings.length] ?? "";
  const round = Math.floor(number / places);
  return `${beginning}${ending}${quarters[round] ?? ` ${round + 1}`}`;
}

/** The name of the club at a place, e.g. "Lærkemosen Golfklub". */
function clubName(number: number): string {
  return `${placeName(number)} ${suffixes[number % suffixes.length]}`;
}

/** A short name: three letters as a rule, but a few clubs have four, and a few none. */
function shortName(number: number): string {
  if (number % 13 === 5) return "";
  const letters = placeName(number)
    .toUpperCase()
    .replaceAll(/[^A-ZÆØÅ]/g, "");
  const consonants = letters.slice(1).replaceAll(/[AEIOUYÆØÅ]/g, "");
  return `${letters.slice(0, 1)}${consonants}GK`.slice(0, number % 11 === 3 ? 4 : 3);
}

/** The only union here. */
const union = 1;

const streets = ["Golfvej", "Golfbanevej", "Skovvej", "Strandvej", "Møllevej", "Herregårdsvej"];

const asciiLetters: Readonly<Record<string, string>> = { æ: "ae", ø: "oe", å: "aa", " ": "-" };

/** The domain name of a place; `.example` is reserved. @see RFC 2606 */
function domain(place: string): string {
  const name = place.toLowerCase().replaceAll(/[æøå ]/g, (letter) => asciiLetters[letter] ?? "");
  return `${name}.example`;
}

/** Invents a club; like real ones, some lack parts of the address. */
export function inventClub(seed: number, number: number, phonePrefix: string): UnionClub {
  const random = seededRandom(seed, "club", number);
  const place = placeName(number);
  return {
    ID: identifier(seed, "club", number),
    UnionNumber: number + 1,
    Name: clubName(number),
    ShortName: shortName(number),
    AddressLine1: random.oneOf(streets),
    AddressLine2: random.chance(0.1) ? `${place} Gods` : null,
    StreetNumber: String(random.whole(1, 180)),
    Floor: random.chance(0.05) ? "1" : null,
    Side: null,
    ZipCode: String(random.whole(1800, 9990)),
    City: place,
    // No number in the country begins with 0.
    PrimaryPhone: random.chance(0.9) ? `${phonePrefix} 0${random.whole(1_000_000, 9_999_999)}` : null,
    PrimaryEmail: random.chance(0.9) ? `kontor@${domain(place)}` : null,
    Homepage: random.chance(0.85) ? `https://www.${domain(place)}` : null,
    Union: union,
  };
}
