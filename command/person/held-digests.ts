import { batchGet, batchWrite, type Item } from "../../core/aws/batch.ts";
import { keyedDigest } from "../../core/formats/keyed-digest.ts";
import { claimedExternalId } from "../../core/records/claimed-rows.ts";
import { claimsIn } from "../../core/records/record-evidence-table.ts";
import { expiryOf, type TableSearch } from "./held-data.ts";

/** What is remembered of a player. It is found by a hash of the UnionID alone; the item of its person, by that item. */
export async function searchPlayers(
  { erase, table, client, held, secret, notLookedAt }: TableSearch,
  unionId: string | undefined,
): Promise<void> {
  if (unionId === undefined) {
    notLookedAt.push("remembered players and rounds: give --union-id");
    return;
  }
  const id = { S: keyedDigest(secret, "knownPlayer", unionId) };
  const [player] = await batchGet(client, table, [{ id }]);
  const persons = player?.person === undefined ? [] : await batchGet(client, table, [{ id: player.person }]);
  // The person first: if the run ends between the two, the next finds it all the same.
  for (const item of player === undefined ? [] : [...persons, player]) {
    const { id = { S: "" }, judgement, rounds } = item;
    if (erase) await batchWrite(client, table, [], { deletes: [{ id }] });
    held.push({
      place: "remembered players and rounds",
      what: `keyed hash of the ${item === player ? "UnionID" : "LifeTimeID"}, with the union's judgement and rounds`,
      finding: erase ? "erased" : "found",
      text: JSON.stringify({ id: id.S, judgement: judgement?.S, rounds: rounds?.S }),
      ...expiryOf(item),
    });
  }
}

/** What is remembered of rows that were found in players' records: a hash of player and StartTime, which is found by the cards. */
export async function searchClaims(
  { erase, names, claims: own, table, client, held }: TableSearch,
  items: readonly Item[],
): Promise<void> {
  for (const item of items) {
    const claims = claimsIn(item) ?? [];
    const cards = claims.map(({ card }) => card);
    const row = { place: "found rounds", ...expiryOf(item) };
    if (cards.some((card) => own.has(card))) {
      const { apiSet = { S: "" }, at = { S: "" } } = item;
      if (erase) await batchWrite(client, table, [], { deletes: [{ apiSet, at }] });
      const [what, finding] = ["keyed hash of player and StartTime", erase ? "erased" : "found"] as const;
      held.push({ ...row, what, finding, text: JSON.stringify(claims) });
    } else {
      const [what, finding] = ["ExternalID of a card", erase ? "kept" : "found"] as const;
      for (const text of cards.map(claimedExternalId).filter(names))
        held.push({ ...row, what, finding, text });
    }
  }
}
