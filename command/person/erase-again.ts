import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LRUCache } from "lru-cache";
import { searchByKeys } from "../../core/formats/named-person.ts";
import { readErased } from "../../core/views/erased-persons-table.ts";
import type { BackedUp } from "../base/backed-up.ts";
import type { Target } from "../base/target.ts";
import { isLeft, searchFor } from "./held-data.ts";
import { searchActivity } from "./other-places.ts";
import { readDigestSecret, searchCards } from "./search-person.ts";

/** Texts have the same words again and again, and a digest costs more than to look it up. */
const maxRemembered = 100_000;

/** Erases from restored data whoever was erased after the backup. @returns how many texts and cards, and cards that may still be posted */
export async function eraseAgain(
  data: BackedUp,
  target: Target,
  client: DynamoDBClient,
  signal: AbortSignal,
): Promise<{ readonly erased: number; readonly left: number }> {
  const { ActivityTableName, ScorecardTableName } = target.outputs;
  const secret = await readDigestSecret(target);
  const memoMethod = await readErased(ActivityTableName, client, async () => secret);
  if (memoMethod === undefined) return { erased: 0, left: 0 };
  const erasedAt = new LRUCache<string, number>({ max: maxRemembered, memoMethod });
  // A card that the person has played since then stays.
  const namesSince = (since: number) => searchByKeys((key) => erasedAt.memo(key) > since);
  const search = searchFor({ erase: true, names: namesSince(0), client, secret });
  if (data === "cards")
    await searchCards(search, ScorecardTableName, signal, ({ acceptedAt }) => namesSince(acceptedAt));
  if (data === "counts") await searchActivity({ ...search, table: ActivityTableName });
  const findings = [...search.cards, ...search.held].map(({ finding }) => finding);
  return {
    erased: findings.filter((finding) => finding === "erased").length,
    left: findings.filter(isLeft).length,
  };
}
