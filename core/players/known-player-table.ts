import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { batchGetEach, type Item, number, tryConditionalWrites } from "../aws/batch.ts";
import type { CardKey } from "../cards/life/card.ts";
import { keyedDigest } from "../formats/keyed-digest.ts";
import type { MemberFields, PlayerJudgement } from "../golf/member-warnings.ts";
import type { StartedRound } from "../golf/same-round.ts";

/** The union's last answer about a player. */
export interface KnownPlayer {
  /** The day, e.g. `2026-07-04`, UTC. */
  readonly asOf: string;
  readonly judgement: PlayerJudgement;
}

/** A delivered round of a player. */
export interface KnownRound extends StartedRound, CardKey {
  /** Short keyed hash of the UnionID that the card had: its player may have been corrected since. */
  readonly membership: string;
}

/** What is remembered of the rounds of some players. */
export interface RecalledRounds {
  /** The key under which rounds are remembered, one for all memberships of a person. A UnionID may be spelt in any way. */
  findPerson(unionId: string): { readonly person: string } & Pick<KnownRound, "membership">;
  /** In the order in which they were delivered. */
  roundsOf(person: string): readonly KnownRound[];
  /**
   * Takes players as one person if the union has one LifeTimeID for them.
   *
   * @param members what the union says of the players, by UnionID
   * @throws TableBatchError
   */
  identify(members: ReadonlyMap<string, MemberFields>): Promise<void>;
}

/** What is remembered of some players. */
export interface RecalledPlayers extends RecalledRounds {
  /** The union's answer, if it knew the player when it was asked in the last 30 days. */
  knownPlayer(unionId: string): KnownPlayer | undefined;
  /**
   * Remembers rounds of persons, in place of those before.
   *
   * @returns the persons of whom another run has remembered something meanwhile, which is read now: theirs are not remembered
   * @throws TableBatchError
   */
  rememberRounds(rounds: ReadonlyMap<string, readonly KnownRound[]>): Promise<ReadonlySet<string>>;
  /** Remembers players that the union has just said it knows. @throws TableBatchError */
  remember(found: ReadonlyMap<string, PlayerJudgement>): Promise<void>;
}

/** Recalls players by their UnionIDs. @throws TableBatchError */
export type RecallPlayers = (unionIds: readonly string[]) => Promise<RecalledPlayers>;

/** Recalls the delivered rounds of players by their UnionIDs. @throws TableBatchError */
export type RecallRounds = (unionIds: readonly string[]) => Promise<RecalledRounds>;

const rememberedSeconds = 30 * 86_400;
/** A player's item names the person's as long as there may be one, so that erasing a person finds it. */
const linkedSeconds = 62 * 86_400;

/** A player as one is remembered. Times are in seconds since 1970. */
interface RememberedPlayer {
  readonly expiresAt: number;
  /** When the union was asked last; undefined if it did not know the player, or did not answer. */
  readonly askedAt?: number | undefined;
  readonly judgement?: PlayerJudgement | undefined;
  /** Key of the person, whose item has the rounds of all memberships; undefined if the union has one membership. */
  readonly person?: string | undefined;
  readonly rounds: readonly KnownRound[];
}

function playerIn({ expiresAt, askedAt, judgement, person, rounds }: Item): RememberedPlayer {
  const expiry = Number(expiresAt?.N ?? 0);
  // Items of 0.2.0 have no rounds, and expire 30 days after the question.
  const asked = askedAt === undefined && rounds === undefined ? expiry - rememberedSeconds : askedAt?.N;
  return {
    expiresAt: expiry,
    askedAt: asked === undefined ? undefined : Number(asked),
    judgement: JSON.parse(judgement?.S ?? "{}"),
    person: person?.S,
    rounds: readRounds(rounds?.S ?? "[]"),
  };
}

/** Rounds are lists without names of fields: those of a busy month fit into one write unit. */
type RoundFields = [number, number, number | null, string, KnownRound["apiSet"], string, string?];

const readRounds = (text: string): KnownRound[] =>
  (JSON.parse(text) as RoundFields[]).map(
    ([start, holes, number, membership, apiSet, externalId, id]): KnownRound => ({
      ...{ start, holes, membership, apiSet, externalId, id },
      number: number ?? undefined,
    }),
  );
const roundsText = (rounds: readonly KnownRound[]): string =>
  JSON.stringify(
    rounds.map(({ start, holes, number, membership, apiSet, externalId, id }) => [
      ...[start, holes, number ?? null, membership],
      ...[apiSet, externalId, ...(id === undefined ? [] : [id])],
    ]),
  );

const toKey = (id: string): Item => ({ id: { S: id } });

/** Where players are remembered. `hashKey`: the secret of the hashes; with another one, nobody is remembered. */
type PlayerTable = readonly [
  table: string,
  client: DynamoDBClient,
  hashKey: () => Promise<string>,
  now: () => Date,
];

/** Reads what is remembered of players, and of the persons who have several memberships. */
async function readPlayers([table, client, hashKey, now]: PlayerTable, unionIds: readonly string[]) {
  const secret = await hashKey();
  const seconds = Math.floor(now().getTime() / 1000);
  const players = new Map<string, RememberedPlayer>();
  /** Of the players whose person is known. */
  const persons = new Map<string, string>();
  const toId = (unionId: string) => keyedDigest(secret, "knownPlayer", unionId);
  const isRecent = (askedAt: number | undefined): askedAt is number =>
    askedAt !== undefined && askedAt + rememberedSeconds > seconds;

  /** A player that cannot be read is taken for new, and holds up no other. */
  async function read(ids: Iterable<string>): Promise<void> {
    const { found } = await batchGetEach(client, table, [...new Set(ids)].map(toKey));
    for (const item of found) players.set(item.id?.S ?? "", playerIn(item));
  }
  async function link(found: readonly (readonly [id: string, person: string])[]): Promise<void> {
    for (const [id, person] of found) persons.set(id, person);
    await read(found.flatMap(([, person]) => (players.has(person) ? [] : [person])));
  }

  await read(unionIds.map(toId));
  // An older answer is not told any more, so its person is not either.
  const known = [...players].filter(([, { askedAt }]) => isRecent(askedAt));
  await link(known.flatMap(([id, { person }]) => (person === undefined ? [] : [[id, person] as const])));

  const rounds: RecalledRounds = {
    findPerson(unionId) {
      const id = toId(unionId);
      return { person: persons.get(id) ?? id, membership: id.slice(-11) };
    },
    roundsOf(person) {
      const theirs = players.get(person)?.rounds ?? [];
      const isTheirs = (one: KnownRound) =>
        theirs.some(({ apiSet, externalId }) => apiSet === one.apiSet && externalId === one.externalId);
      // Rounds that were delivered before the union had said who the player is.
      const own = [...persons].flatMap(([id, of]) => (of === person ? (players.get(id)?.rounds ?? []) : []));
      return [...own.filter((one) => !isTheirs(one)), ...theirs];
    },
    async identify(members) {
      const found = [...members].flatMap(([unionId, { LifeTimeID, Memberships }]) => {
        const hasOne = Array.isArray(Memberships) && Memberships.length === 1;
        if (hasOne || typeof LifeTimeID !== "string") return [];
        return [[toId(unionId), keyedDigest(secret, "person", LifeTimeID)] as const];
      });
      await link(found);
    },
  };
  return { seconds, players, persons, toId, isRecent, read, rounds };
}

/**
 * Recalls the delivered rounds of players, for who remembers nothing: a bundle with this has no command that writes.
 *
 * @see playerRecall
 */
export const roundRecall =
  (...place: PlayerTable): RecallRounds =>
  async (unionIds) =>
    (await readPlayers(place, unionIds)).rounds;

/** A player as one is remembered before and after a change. */
function toRenewal(
  id: string,
  before: RememberedPlayer | undefined,
  change: Partial<RememberedPlayer>,
  seconds: number,
) {
  const after = { rounds: [], ...before, ...change };
  const kept = after.person === undefined ? rememberedSeconds : linkedSeconds;
  // Never the same as before: by it another run sees that the item has changed.
  const expiresAt = Math.max(seconds + kept, (before?.expiresAt ?? 0) + 1);
  return { id, before, after: { ...after, expiresAt } };
}

function toPlayerWrite({ id, before, after }: ReturnType<typeof toRenewal>) {
  const { expiresAt, askedAt, judgement, person, rounds } = after;
  return {
    key: toKey(id),
    expects: before && { expiresAt: [number(before.expiresAt)] },
    set: {
      expiresAt: number(expiresAt),
      rounds: { S: roundsText(rounds) },
      ...(askedAt !== undefined && { askedAt: number(askedAt), judgement: { S: JSON.stringify(judgement) } }),
      ...(person !== undefined && { person: { S: person } }),
    },
  };
}

/**
 * Remembers players in the table of cards: one item a player, with what the union said that concerns the next cards, too, and the
 * rounds that were delivered last. It expires 30 days after the last of them. Rounds of a person with several memberships are in an
 * item of the person.
 *
 * An item's key is a keyed hash of the UnionID or LifeTimeID. It has no number and no name of the person.
 */
export function playerRecall(...place: PlayerTable): RecallPlayers {
  const [table, client] = place;
  return async (unionIds) => {
    const { seconds, players, persons, toId, isRecent, read, rounds } = await readPlayers(place, unionIds);

    const write = async (changes: ReadonlyMap<string, Partial<RememberedPlayer>>): Promise<string[]> => {
      const changed = [...changes].map(([id, change]) => toRenewal(id, players.get(id), change, seconds));
      const results = await tryConditionalWrites(client, table, changed.map(toPlayerWrite));
      for (const { id, after } of changed) players.set(id, after);
      return changed.flatMap(({ id }, place) => (results[place] === "lost" ? [id] : []));
    };

    return {
      ...rounds,
      knownPlayer(unionId) {
        const { askedAt, judgement = {} } = players.get(toId(unionId)) ?? {};
        // DynamoDB removes an expired item within days.
        if (!isRecent(askedAt)) return undefined;
        return { asOf: new Date(1000 * askedAt).toISOString().slice(0, 10), judgement };
      },
      async rememberRounds(changed) {
        const isStored = (id: string, kept: readonly KnownRound[]) =>
          roundsText(kept) === roundsText(players.get(id)?.rounds ?? []);
        const changes = [...changed].filter(([id, kept]) => !isStored(id, kept));
        const lost = await write(new Map(changes.map(([id, kept]) => [id, { rounds: kept }])));
        await read(lost);
        return new Set(lost);
      },
      async remember(found) {
        const asked = [...found].map(([unionId, judgement]) => {
          const id = toId(unionId);
          return [id, { judgement, askedAt: seconds, person: persons.get(id) }] as const;
        });
        // Another run has heard the same, or delivers a card of the player now; else the union is asked again for the next one.
        await write(new Map(asked));
      },
    };
  };
}
