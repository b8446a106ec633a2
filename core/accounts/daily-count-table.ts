import { type DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { number } from "../aws/batch.ts";
import type { ApiSet } from "./account.ts";

/*
 * A vendor's count of a day is in the table of activity, under a partition key of its own:
 *   {apiSet}#sent   2026-07-04   cards that were submitted or validated
 */

/** Counts what a vendor has used of its limit of a day. */
type CountUse = (apiSet: ApiSet, amount: number, limit: number) => CountedUse;

interface CountedUse {
  /** Whether the vendor was within the limit before. */
  readonly isWithin: boolean;
  /** Never rejects. What it writes is seen by the next call only, so a request need not wait for it before its end. */
  readonly written: Promise<void>;
}

/** `written` by all environments, as of the last write; `unwritten` by this one since then. */
interface Use {
  readonly day: string;
  readonly written: number;
  readonly unwritten: number;
}

/** An environment writes its count each time that it has so many more: a vendor with fewer cards a day costs no write. */
const amountOfWrite = 1_000;
/** Counts of the last days show an operator what a vendor did. */
const keptDays = 32;

/**
 * Counts in a DynamoDB table, in few writes: each environment adds a thousand cards at a time, so a limit is reached up to that many
 * cards later for each of them. If a write fails, what was used stays to be written; no card is refused for that.
 *
 * @param today of the union, e.g. `2026-07-04`
 */
export function dailyCounter(table: string, client: DynamoDBClient, today: () => string): CountUse {
  const uses = new Map<ApiSet, Use>();

  async function write(apiSet: ApiSet, day: string, amount: number): Promise<number> {
    const { Attributes } = await client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: { apiSet: { S: `${apiSet}#sent` }, at: { S: day } },
        UpdateExpression: "SET expiresAt = :expiresAt ADD cards :cards",
        ExpressionAttributeValues: {
          ":cards": number(amount),
          ":expiresAt": number(Date.parse(day) / 1000 + keptDays * 86_400),
        },
        ReturnValues: "UPDATED_NEW",
      }),
    );
    return Number(Attributes?.cards?.N ?? 0);
  }

  return (apiSet, amount, limit) => {
    const day = today();
    const known = uses.get(apiSet);
    const { written, unwritten } = known?.day === day ? known : { written: 0, unwritten: 0 };
    const isWithin = written + unwritten < limit;
    const more = unwritten + amount;
    if (isWithin) uses.set(apiSet, { day, written, unwritten: more });
    if (!isWithin || more < amountOfWrite) return { isWithin, written: Promise.resolve() };
    const remember = (total: number) => void uses.set(apiSet, { day, written: total, unwritten: 0 });
    return { isWithin, written: write(apiSet, day, more).then(remember, () => undefined) };
  };
}
