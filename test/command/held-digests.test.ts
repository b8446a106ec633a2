import { expect, test } from "vitest";
import type { HeldData } from "../../command/person/held-data.ts";
import { searchPlayers } from "../../command/person/held-digests.ts";
import { searchActivity } from "../../command/person/other-places.ts";
import type { ApiSet } from "../../core/accounts/account.ts";
import { type DigestPurpose, digestPurposes, keyedDigest } from "../../core/formats/keyed-digest.ts";
import { namesPerson } from "../../core/formats/named-person.ts";
import { playerRecall } from "../../core/players/known-player-table.ts";
import { claimedCard } from "../../core/records/claimed-rows.ts";
import { rowClaims } from "../../core/records/record-evidence-table.ts";
import { provideEngine, tables } from "../core/aws/engine.ts";

const scorecards = tables.scorecards.TableName;
const activity = tables.activity.TableName;
const engine = await provideEngine(tables.scorecards, tables.activity);

const secret = "secret";
const hashKey = async () => secret;
const apiSet = "greens" as ApiSet;
const ownCard = claimedCard({ apiSet, externalId: "own" });

/** How each purpose stores something of a player. */
const store: Readonly<Record<DigestPurpose, (unionId: string, card: string) => Promise<unknown>>> = {
  async knownPlayer(unionId) {
    const players = await playerRecall(scorecards, engine.client, hashKey, () => new Date())([unionId]);
    await players.remember(new Map([[unionId, { gender: 1 }]]));
  },
  async playedRound(unionId) {
    const players = await playerRecall(scorecards, engine.client, hashKey, () => new Date())([unionId]);
    const played = keyedDigest(secret, "playedRound", unionId, "tee 4,5,3");
    await players.rememberRounds(
      new Map([[unionId, [{ start: 0, holes: 9, played, apiSet, externalId: "own" }]]]),
    );
  },
  recordEvidence: (unionId, card) =>
    rowClaims(activity, engine.client, hashKey).write(
      new Map([[JSON.stringify([unionId, "20010203080000"]), [{ card, row: "[]" }]]]),
      Date.now(),
    ),
};

const whatOf: Readonly<Record<DigestPurpose, string>> = {
  knownPlayer: "keyed hash of the UnionID, with the union's judgement and rounds",
  playedRound: "keyed hash of the UnionID, with the union's judgement and rounds",
  recordEvidence: "keyed hash of player and StartTime",
};

/** What is found of a person, as the command looks for it. */
async function look(erase: boolean, unionId: string, card: string): Promise<string[]> {
  const hashed = { unionId, secret };
  const cards = { own: new Set([card]), erased: new Set<string>() };
  const names = namesPerson({ unionId });
  const held: HeldData[] = [];
  const search = { erase, client: engine.client, held };
  await searchPlayers({ ...search, table: scorecards }, hashed);
  await searchActivity({ ...search, table: activity, names, cards });
  return held.map(({ what, finding }) => `${what} ${finding}`);
}

test.each(digestPurposes)("what is stored as %s is found and erased with its person", async (purpose) => {
  const otherCard = claimedCard({ apiSet, externalId: "other" });
  await store[purpose]("88-5", ownCard);
  await store[purpose]("88-6", otherCard);

  const what = whatOf[purpose];
  expect(await look(false, "0088-05", ownCard)).toEqual([`${what} found`]);
  expect(await look(true, "0088-05", ownCard)).toEqual([`${what} erased`]);
  expect(await look(false, "0088-05", ownCard)).toEqual([]);
  expect(await look(true, "88-6", otherCard)).toEqual([`${what} erased`]);
});
