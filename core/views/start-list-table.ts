import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import pMap from "p-map";
import type { ApiSet } from "../accounts/account.ts";
import { type Item, number } from "../aws/batch.ts";
import { itemsBetween } from "../aws/items-between.ts";
import { packJson, unpackJson } from "../aws/packed-json.ts";
import { queryAll, queryPages } from "../aws/read-items.ts";
import { type Days, daysBefore } from "../formats/days.ts";
import { inForce, isSameTime, type ListedPlayer, type StartList } from "./start-list.ts";

/*
 * Start lists are in the table of activity, under a partition key of their own, `{apiSet}#start-lists`, with the sort keys
 *   {id}#{from}#{to}
 * of the tournament and the list's days. IAM lets track-scorecards write to these partitions only. One item has the whole list: 2,000 players are some 70 KB.
 */
const suffix = "#start-lists";
const keyOf = (apiSet: ApiSet, id: string, { from, to }: Days): Item => ({
  apiSet: { S: `${apiSet}${suffix}` },
  at: { S: `${id}#${from}#${to}` },
});

/** A player as it is stored: without its name's or its number's letters, only a digest; null if the player was erased. */
type StoredPlayer = readonly [digest: string, label?: string] | null;

interface StoredPlayers {
  readonly rounds?: readonly number[];
  readonly players: readonly StoredPlayer[];
}

/** A tournament's start list. */
export interface StoredStartList extends StartList {
  /** The tournament's name if the list was sent with it, or erased. */
  readonly name?: string;
}

/** What a list of tournaments says of a start list. */
export interface ListedStartList extends Pick<StartList, "from" | "to" | "rounds"> {
  /** Of the tournament. */
  readonly id: string;
  /** The tournament's name if the list was sent with it; absent if a person was erased from it. */
  readonly name?: string;
  /** Players of the list. */
  readonly players: number;
}

/** The start lists of vendors' tournaments. */
export interface StartListTable {
  /** Stores a list in place of all of the tournament's that have a day in common with it. */
  put(apiSet: ApiSet, id: string, list: StoredStartList): Promise<void>;
  /** Removes the lists of a tournament that have a day in common with these. @returns whether there was any */
  remove(apiSet: ApiSet, id: string, days: Days): Promise<boolean>;
  /** The lists of a tournament that have a day in common with these, in the order of their days; none that has expired. */
  read(apiSet: ApiSet, id: string, days: Days): Promise<StoredStartList[]>;
  /** A vendor's lists that have a day in common with these, of all tournaments; none that has expired. */
  ofDays(apiSet: ApiSet, days: Days): Promise<ListedStartList[]>;
}

/** A list has at most so many days, as a request for a tournament has. */
const maxDays = 31;
const parallelDeletes = 10;

/** @param now milliseconds since 1970, UTC */
export function startListTable(table: string, client: DynamoDBClient, now: () => number): StartListTable {
  /** Those that have expired are among them, until DynamoDB removes them. */
  async function stored(apiSet: ApiSet, id: string, days: Days) {
    const from = `${id}#${daysBefore(days.from, maxDays - 1)}`;
    // `$` is greater than the `#` after a day.
    const between = itemsBetween(table, `${apiSet}${suffix}`, from, `${id}#${days.to}$`);
    // A vendor reads what it has just sent.
    const query = { ...between, ConsistentRead: true };
    const items = await queryAll(client, query);
    return items.map(listIn).filter((list) => isSameTime(list, days));
  }

  /** Removes lists, but none that was sent again meanwhile. */
  const removeAll = (apiSet: ApiSet, id: string, lists: readonly StoredStartList[]) =>
    pMap(lists, (list) => removeUnchanged(apiSet, id, list), { concurrency: parallelDeletes });

  async function removeUnchanged(apiSet: ApiSet, id: string, list: StoredStartList): Promise<void> {
    try {
      await client.send(
        new DeleteItemCommand({
          TableName: table,
          Key: keyOf(apiSet, id, list),
          ConditionExpression: "putAt = :putAt",
          ExpressionAttributeValues: { ":putAt": number(list.putAt) },
        }),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  return {
    async put(apiSet, id, list) {
      const { from, to, rounds, players, name, putAt, expiresAt } = list;
      const older = await stored(apiSet, id, list);
      const document: StoredPlayers = {
        ...(rounds !== undefined && { rounds }),
        players: players.map((player) => (player === undefined ? null : asStored(player))),
      };
      const item = {
        ...keyOf(apiSet, id, { from, to }),
        ...(name !== undefined && { name: { S: name } }),
        players: { B: packJson(document) },
        putAt: number(putAt),
        expiresAt: number(Math.ceil(expiresAt / 1000)),
      };
      await client.send(new PutItemCommand({ TableName: table, Item: item }));
      // Only now: if this fails, readers still take the newest.
      await removeAll(
        apiSet,
        id,
        older.filter((one) => one.from !== from || one.to !== to),
      );
    },
    async remove(apiSet, id, days) {
      const lists = await stored(apiSet, id, days);
      await removeAll(apiSet, id, lists);
      return lists.some(({ expiresAt }) => expiresAt > now());
    },
    async read(apiSet, id, days) {
      const lists = await stored(apiSet, id, days);
      return inForce(lists.filter(({ expiresAt }) => expiresAt > now()));
    },
    async ofDays(apiSet, days) {
      // Lists are erased after a month, so a vendor has few: a thousand of them, of eighty players each, are three pages.
      const query = {
        TableName: table,
        KeyConditionExpression: "apiSet = :apiSet",
        ExpressionAttributeValues: { ":apiSet": { S: `${apiSet}${suffix}` } },
      };
      const lists: (ListedStartList & Pick<StartList, "putAt" | "expiresAt">)[] = [];
      for await (const items of queryPages(client, query)) {
        for (const item of items) {
          const { players, ...list } = listIn(item);
          const [id = ""] = item.at?.S?.split("#") ?? [];
          const count = players.filter((player) => player !== undefined).length;
          if (isSameTime(list, days) && list.expiresAt > now()) lists.push({ ...list, id, players: count });
        }
      }
      return [...Map.groupBy(lists, ({ id }) => id).values()]
        .flatMap(inForce)
        .map(({ putAt, expiresAt, ...list }) => list);
    },
  };
}

const asStored = ({ digest, label }: ListedPlayer): StoredPlayer =>
  label === undefined ? [digest] : [digest, label];

function listIn({ at, name, players, putAt, expiresAt }: Item): StoredStartList {
  const [, from = "", to = ""] = at?.S?.split("#") ?? [];
  const document = unpackJson(players?.B ?? new Uint8Array()) as StoredPlayers;
  return {
    from,
    to,
    ...(name?.S && { name: name.S }),
    ...(document.rounds !== undefined && { rounds: document.rounds }),
    players: document.players.map((player) => {
      const [digest, label] = player ?? [];
      return digest === undefined ? undefined : { digest, ...(label !== undefined && { label }) };
    }),
    putAt: Number(putAt?.N),
    expiresAt: Number(expiresAt?.N) * 1000,
  };
}

/** What a start list in the table of activity has of some players. */
export interface FoundInStartList {
  /** Digests and labels of these players, as JSON. */
  readonly texts: readonly string[];
  /** The list's players without them; their places are empty. */
  readonly without: Uint8Array;
}

/**
 * Looks for players in an item of the table of activity.
 *
 * @param isPlayer by the tenant and tournament of the list, as its digests are
 * @returns undefined if the item is no start list
 */
export function playersInStartList(
  { apiSet, at, players }: Item,
  isPlayer: (
    apiSet: string,
    id: string,
  ) => (player: { digest: string; label: string | undefined }) => boolean,
): FoundInStartList | undefined {
  if (!apiSet?.S?.endsWith(suffix) || players?.B === undefined) return undefined;
  const [id = ""] = at?.S?.split("#") ?? [];
  const isOne = isPlayer(apiSet.S.slice(0, -suffix.length), id);
  const document = unpackJson(players.B) as StoredPlayers;
  const isFound = (player: StoredPlayer) => player !== null && isOne({ digest: player[0], label: player[1] });
  return {
    texts: document.players.filter(isFound).map((player) => JSON.stringify(player)),
    without: packJson({
      ...document,
      players: document.players.map((player) => (isFound(player) ? null : player)),
    }),
  };
}
