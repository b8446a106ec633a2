import { expect, test } from "vitest";
import { searchFor } from "../../command/person/held-data.ts";
import { searchPlayers } from "../../command/person/held-digests.ts";
import { searchActivity } from "../../command/person/other-places.ts";
import type { ApiSet } from "../../core/accounts/account.ts";
import { type DigestPurpose, digestPurposes } from "../../core/formats/keyed-digest.ts";
import { namesPerson } from "../../core/formats/named-person.ts";
import { type KnownRound, playerRecall } from "../../core/players/known-player-table.ts";
import { claimedCard } from "../../core/records/claimed-rows.ts";
import { rowClaims } from "../../core/records/record-evidence-table.ts";
import { provideEngine, tables } from "../core/aws/engine.ts";

const scorecards = tables.scorecards.TableName;
const activity = tables.activity.TableName;
const engine = await provideEngine(tables.scorecards, tables.activity);

const secret = "secret";
const hashKey = async () => secret;
const apiSet = "greens" as ApiSet;
const ownCard = "own";

/** Of who was erased there are digests only, by which nobody is to be found. */
type OfPlayer = Exclude<DigestPurpose, "erasedContent" | "erasedPerson">;
const ofPlayers = digestPurposes.filter((one): one is OfPlayer => !one.startsWith("erased"));

/** Remembers a player, and a round if the union has a LifeTimeID that several memberships may have. */
async function rememberPlayer(unionId: string, member: object): Promise<void> {
  const players = await playerRecall(scorecards, engine.client, hashKey, () => new Date())([unionId]);
  await players.identify(new Map([[unionId, member]]));
  const { person, membership } = players.findPerson(unionId);
  const round: KnownRound = { start: 0, holes: 9, membership, apiSet, externalId: "own" };
  await players.rememberRounds(new Map([[person, [round]]]));
  await players.remember(new Map([[unionId, { gender: 1 }]]));
}

/** How each purpose stores something of a player. */
const store: Readonly<Record<OfPlayer, (unionId: string, card: string) => Promise<unknown>>> = {
  knownPlayer: (unionId) => rememberPlayer(unionId, {}),
  person: (unionId) => rememberPlayer(unionId, { LifeTimeID: `010190-${unionId}` }),
  recordEvidence: (unionId, card) =>
    rowClaims(activity, engine.client, hashKey).write(
      new Map([
        [
          JSON.stringify([unionId, "20010203080000"]),
          [{ card: claimedCard({ apiSet, externalId: card }), row: "[]" }],
        ],
      ]),
      Date.now(),
    ),
};

const player = "keyed hash of the UnionID, with the union's judgement and rounds";
const whatOf: Readonly<Record<OfPlayer, readonly string[]>> = {
  knownPlayer: [player],
  person: [player.replace("UnionID", "LifeTimeID"), player],
  recordEvidence: ["keyed hash of player and StartTime"],
};

/** What is found of a person, as the command looks for it. */
async function look(erase: boolean, unionId: string, card: string): Promise<string[]> {
  const search = searchFor({ erase, names: namesPerson({ unionId }), client: engine.client, secret });
  search.claims.add(claimedCard({ apiSet, externalId: card }));
  await searchPlayers({ ...search, table: scorecards }, unionId);
  await searchActivity({ ...search, table: activity });
  return search.held.map(({ what, finding }) => `${what} ${finding}`);
}

test.each(ofPlayers)("what is stored as %s is found and erased with its person", async (purpose) => {
  const otherCard = "other";
  await store[purpose]("88-5", ownCard);
  await store[purpose]("88-6", otherCard);

  const rowsOf = (finding: string) => whatOf[purpose].map((what) => `${what} ${finding}`);
  expect(await look(false, "0088-05", ownCard)).toEqual(rowsOf("found"));
  expect(await look(true, "0088-05", ownCard)).toEqual(rowsOf("erased"));
  expect(await look(false, "0088-05", ownCard)).toEqual([]);
  expect(await look(true, "88-6", otherCard)).toEqual(rowsOf("erased"));
});
