import { type DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { number } from "../aws/batch.ts";
import type { ApiSet } from "./account.ts";

/*
 * A vendor's use of a day is in the table of activity, under a partition key of its own:
 *   {apiSet}#sent   2026-07-04   cards that were submitted or validated, and what all its requests cost
 */

/** A vendor's use of a day: its cards, and the cost of its requests in read units of DynamoDB. */
export interface DailyUse {
  readonly cards: number;
  readonly units: number;
}

/** `written` by all environments, as of the last write; `unwritten` by this one since then. */
interface Use {
  readonly day: string;
  readonly written: DailyUse;
  readonly unwritten: DailyUse;
}

/** An environment writes its count once it has so much more: small requests cost no write, and one that ends loses twice this at most. */
export const unwrittenLimit: DailyUse = { cards: 1_000, units: 4_000 };
/** Counts of the last days show an operator what a vendor did. */
const keptDays = 32;

const none: DailyUse = { cards: 0, units: 0 };
const sum = (one: DailyUse, other: Partial<DailyUse>): DailyUse => ({
  cards: one.cards + (other.cards ?? 0),
  units: one.units + (other.units ?? 0),
});

/**
 * Counts what vendors use in a day, in a DynamoDB table. All environments count together, but each knows of the others as of its own
 * last write.
 *
 * @param today of the union, e.g. `2026-07-04`
 */
export function dailyCounter(table: string, client: DynamoDBClient, today: () => string) {
  const uses = new Map<ApiSet, Use>();

  function read(apiSet: ApiSet): Use {
    const [day, known] = [today(), uses.get(apiSet)];
    return known?.day === day ? known : { day, written: none, unwritten: none };
  }

  return {
    /** What is known here of a vendor's day. */
    used(apiSet: ApiSet): DailyUse {
      const { written, unwritten } = read(apiSet);
      return sum(written, unwritten);
    },
    add(apiSet: ApiSet, more: Partial<DailyUse>): void {
      const use = read(apiSet);
      uses.set(apiSet, { ...use, unwritten: sum(use.unwritten, more) });
    },
    /** Writes the added use once it is much. Never rejects: a later call writes what this one could not. */
    async write(apiSet: ApiSet): Promise<void> {
      const { day, written, unwritten } = read(apiSet);
      const { cards, units } = unwritten;
      if (cards < unwrittenLimit.cards && units < unwrittenLimit.units) return;
      // More may be added meanwhile.
      uses.set(apiSet, { day, written: sum(written, unwritten), unwritten: none });
      const request = new UpdateItemCommand({
        TableName: table,
        Key: { apiSet: { S: `${apiSet}#sent` }, at: { S: day } },
        UpdateExpression: "SET expiresAt = :expiresAt ADD cards :cards, units :units",
        ExpressionAttributeValues: {
          ":cards": number(cards),
          ":units": number(units),
          ":expiresAt": number(Date.parse(day) / 1000 + keptDays * 86_400),
        },
        ReturnValues: "UPDATED_NEW",
      });
      const response = await client.send(request).catch(() => undefined);
      const now = read(apiSet);
      if (now.day !== day) return;
      const { Attributes: total } = response ?? {};
      uses.set(
        apiSet,
        response === undefined
          ? { day, written, unwritten: sum(now.unwritten, unwritten) }
          : {
              ...now,
              written: { cards: Number(total?.cards?.N), units: Number(total?.units?.N) },
            },
      );
    },
  };
}
