import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { batchGet, conditionalWrites, type Item, number } from "../aws/batch.ts";
import type { CardKey } from "../cards/life/card.ts";
import { keyedDigest } from "../formats/keyed-digest.ts";
import type { PlayerJudgement } from "../golf/member-warnings.ts";
import type { StartedRound } from "../golf/same-round.ts";

/** The union's last answer about a player. */
export interface KnownPlayer {
  /** The day, e.g. `2026-07-04`, UTC. */
  readonly asOf: string;
  readonly judgement: PlayerJudgement;
}

/** A delivered round of a player. */
export interface KnownRound extends StartedRound, CardKey {}

/** What is remembered of some players. A UnionID may be spelt in any way. */
export interface RecalledPlayers {
  /** The union's answer, if it knew the player when it was asked in the last 30 days. */
  knownPlayer(unionId: string): KnownPlayer | undefined;
  /** In the order in which they were delivered. */
  roundsOf(unionId: string): readonly KnownRound[];
  /**
   * Remembers rounds of players, in place of those before.
   *
   * @returns the players of whom another run has remembered something meanwhile, which is read now: theirs are not remembered
   * @throws TableBatchError
   */
  rememberRounds(rounds: ReadonlyMap<string, readonly KnownRound[]>): Promise<ReadonlySet<string>>;
  /** Remembers players that the union has just said it knows. @throws TableBatchError */
  remember(found: ReadonlyMap<string, PlayerJudgement>): Promise<void>;
}

/** Recalls players by their UnionIDs. @throws TableBatchError */
export type RecallPlayers = (unionIds: readonly string[]) => Promise<RecalledPlayers>;

/** Recalls the delivered rounds of players by their UnionIDs. @throws TableBatchError */
export type RecallRounds = (unionIds: readonly string[]) => Promise<Pick<RecalledPlayers, "roundsOf">>;

const rememberedSeconds = 30 * 86_400;

/** A player as one is remembered. Times are in seconds since 1970. */
interface RememberedPlayer {
  readonly expiresAt: number;
  /** When the union was asked last; undefined if it did not know the player, or did not answer. */
  readonly askedAt?: number | undefined;
  readonly judgement?: PlayerJudgement | undefined;
  readonly rounds: readonly KnownRound[];
}

function playerIn({ expiresAt, askedAt, judgement, rounds }: Item): RememberedPlayer {
  const expiry = Number(expiresAt?.N ?? 0);
  // Items of 0.2.0 have no rounds, and expire 30 days after the question.
  const asked = askedAt === undefined && rounds === undefined ? expiry - rememberedSeconds : askedAt?.N;
  return {
    expiresAt: expiry,
    askedAt: asked === undefined ? undefined : Number(asked),
    judgement: JSON.parse(judgement?.S ?? "{}"),
    rounds: readRounds(rounds?.S ?? "[]"),
  };
}

/** Rounds are lists without names of fields: those of a busy month fit into one write unit. */
const readRounds = (text: string): KnownRound[] =>
  (JSON.parse(text) as [number, number, number | null, string | null, KnownRound["apiSet"], string][]).map(
    ([start, holes, number, played, apiSet, externalId]) => ({
      ...{ start, holes, apiSet, externalId },
      number: number ?? undefined,
      played: played ?? undefined,
    }),
  );
const roundsText = (rounds: readonly KnownRound[]): string =>
  JSON.stringify(
    rounds.map(({ start, holes, number, played, apiSet, externalId }) => [
      ...[start, holes, number ?? null, played ?? null],
      ...[apiSet, externalId],
    ]),
  );

const toKey = (id: string): Item => ({ id: { S: id } });

const toDigest = (secret: string) => (unionId: string) => keyedDigest(secret, "knownPlayer", unionId);

/** Reads what is remembered of players, by the keys of their items. */
async function readPlayers(client: DynamoDBClient, table: string, ids: Iterable<string>) {
  const items = await batchGet(client, table, [...new Set(ids)].map(toKey));
  return items.map((item) => [item.id?.S ?? "", playerIn(item)] as const);
}

/**
 * Recalls the delivered rounds of players, for who remembers nothing: a bundle with this has no command that writes.
 *
 * @see playerRecall
 */
export function roundRecall(
  table: string,
  client: DynamoDBClient,
  hashKey: () => Promise<string>,
): RecallRounds {
  return async (unionIds) => {
    const toId = toDigest(await hashKey());
    const players = new Map(await readPlayers(client, table, unionIds.map(toId)));
    return { roundsOf: (unionId) => players.get(toId(unionId))?.rounds ?? [] };
  };
}

/** A player as one is remembered before and after a change. */
function toRenewal(
  id: string,
  before: RememberedPlayer | undefined,
  change: Partial<RememberedPlayer>,
  seconds: number,
) {
  // Never the same as before: by it another run sees that the item has changed.
  const expiresAt = Math.max(seconds + rememberedSeconds, (before?.expiresAt ?? 0) + 1);
  return { id, before, after: { rounds: [], ...before, ...change, expiresAt } };
}

function toPlayerWrite({ id, before, after }: ReturnType<typeof toRenewal>) {
  const { expiresAt, askedAt, judgement, rounds } = after;
  return {
    key: toKey(id),
    expects: before && { expiresAt: [number(before.expiresAt)] },
    set: {
      expiresAt: number(expiresAt),
      rounds: { S: roundsText(rounds) },
      ...(askedAt !== undefined && { askedAt: number(askedAt), judgement: { S: JSON.stringify(judgement) } }),
    },
  };
}

/**
 * Remembers players in the table of cards: one item a player, with what the union said that concerns the next cards, too, and the
 * rounds that were delivered last. It expires 30 days after the last of them.
 *
 * An item's key is a keyed hash of the UnionID. It has no number and no name of the person.
 *
 * @param hashKey the secret of the hash; with another one, nobody is remembered
 */
export function playerRecall(
  table: string,
  client: DynamoDBClient,
  hashKey: () => Promise<string>,
  now: () => Date,
): RecallPlayers {
  return async (unionIds) => {
    const toId = toDigest(await hashKey());
    const players = new Map(await readPlayers(client, table, unionIds.map(toId)));
    const seconds = Math.floor(now().getTime() / 1000);
    const isRecent = (askedAt: number | undefined): askedAt is number =>
      askedAt !== undefined && askedAt + rememberedSeconds > seconds;

    const write = async (changes: ReadonlyMap<string, Partial<RememberedPlayer>>): Promise<string[]> => {
      const changed = [...changes].map(([id, change]) => toRenewal(id, players.get(id), change, seconds));
      const results = await conditionalWrites(client, table, changed.map(toPlayerWrite));
      for (const { id, after } of changed) players.set(id, after);
      return changed.flatMap(({ id }, place) => (results[place] === "lost" ? [id] : []));
    };

    return {
      knownPlayer(unionId) {
        const { askedAt, judgement = {} } = players.get(toId(unionId)) ?? {};
        // DynamoDB removes an expired item within days.
        if (!isRecent(askedAt)) return undefined;
        return { asOf: new Date(1000 * askedAt).toISOString().slice(0, 10), judgement };
      },
      roundsOf: (unionId) => players.get(toId(unionId))?.rounds ?? [],
      async rememberRounds(rounds) {
        const ids = new Map([...rounds.keys()].map((unionId) => [toId(unionId), unionId]));
        const changes = [...ids].flatMap(([id, unionId]) => {
          const change = { rounds: rounds.get(unionId) ?? [] };
          const isStored = roundsText(change.rounds) === roundsText(players.get(id)?.rounds ?? []);
          return isStored ? [] : [[id, change] as const];
        });
        const lost = await write(new Map(changes));
        if (lost.length > 0)
          for (const [id, player] of await readPlayers(client, table, lost)) players.set(id, player);
        return new Set(lost.flatMap((id) => ids.get(id) ?? []));
      },
      async remember(found) {
        const asked = [...found].map(
          ([unionId, judgement]) => [toId(unionId), { judgement, askedAt: seconds }] as const,
        );
        // Another run has heard the same, or delivers a card of the player now; else the union is asked again for the next one.
        await write(new Map(asked));
      },
    };
  };
}
