import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type GuidKey, guidKey } from "../../core/formats/identifiers.ts";
import type { Club } from "../../core/golf/course.ts";
import { clubTable } from "../../core/register/club-table.ts";
import { clubNumber, type RegisterRecord } from "../../core/register/record.ts";

/** A club as an operator knows it. */
export interface NamedClub {
  readonly id: GuidKey;
  /** Its official number. */
  readonly number?: number;
  /** Empty if its record has none. */
  readonly name: string;
}

/** The name and number of a mirrored club. */
export function namedClub({ id, text }: RegisterRecord): NamedClub {
  const { Name } = JSON.parse(text) as Pick<Club, "Name">;
  const number = clubNumber(text);
  return { id, name: String(Name ?? ""), ...(number !== undefined && { number }) };
}

/** Finds a mirrored club by its ID or its official number. @throws Error if there is none */
export async function findClub(table: string, client: DynamoDBClient, wanted: string) {
  const clubs = await clubTable(table, client).all();
  const found = clubs.find(({ id, text }) => id === guidKey(wanted) || String(clubNumber(text)) === wanted);
  if (found !== undefined) return found;
  throw new Error(
    `No club ${wanted} is mirrored. Give its ID, or its official number; new clubs come with the next sync.`,
  );
}
