import { identifier } from "../base/identifier.ts";
import { seededRandom } from "../base/seeded-random.ts";
import { clubName, placeName, shortName } from "./club-names.ts";
import type { UnionClub } from "./records.ts";

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
