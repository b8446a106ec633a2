import type { GuidKey } from "../../core/formats/identifiers.ts";
import type { Club } from "../../core/golf/course.ts";
import { clubNumber, type RegisterRecord } from "../../core/register/record.ts";

/** A club as an operator knows it. */
export interface NamedClub {
  readonly id: GuidKey;
  /** Its official number. */
  readonly number?: number;
  /** Empty if the club's record is not mirrored. */
  readonly name: string;
}

/** The name and number of a mirrored club. */
export function namedClub({ id, text }: RegisterRecord): NamedClub {
  const { Name } = JSON.parse(text) as Pick<Club, "Name">;
  const number = clubNumber(text);
  return { id, name: String(Name ?? ""), ...(number !== undefined && { number }) };
}

/** Names clubs by their IDs. @param clubs those that are mirrored */
export function clubNames(clubs: readonly RegisterRecord[]): (id: GuidKey) => NamedClub {
  const named = new Map(clubs.map((club) => [club.id, club]));
  return (id) => {
    const club = named.get(id);
    return club === undefined ? { id, name: "" } : namedClub(club);
  };
}
