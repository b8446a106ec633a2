import { type CardStatus, inParallel, type TournamentCard } from "@scorecard-pipeline/scorecards-client";
import { dayIn, daysBefore } from "../../base/format.ts";
import { toFullName } from "../../base/player-names.ts";
import type { Session } from "../../base/session.ts";

/** Days of play whose cards are looked through: as many as the API lists at once. */
const daysOfPlay = 31;
/** How many of the newest cards are read: one request for each card, and one more if it lacks a name. */
const maxRead = 300;
const parallelReads = 4;
const memberNumber = /^\d{1,4}-[0-9A-Za-z]{1,8}$/;

/** A card of a player, as it is listed. */
export type FoundCard = Pick<TournamentCard, "externalId" | "day" | "playerName"> & Pick<CardStatus, "state">;

const splitName = (name: string): readonly string[] =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/** Whether a name has all of the words, or their beginnings, in any order. */
function isNamed(
  { playerName = "" }: Pick<TournamentCard, "playerName">,
  wanted: readonly string[],
): boolean {
  const words = splitName(playerName);
  return wanted.length > 0 && wanted.every((part) => words.some((word) => word.startsWith(part)));
}

async function readAll<Page extends { readonly next?: string }>(
  query: string,
  read: (query: string) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let next: string | undefined = query; next !== undefined; next = pages.at(-1)?.next)
    pages.push(await read(next));
  return pages;
}

type PlayersSession = Pick<Session, "api" | "account" | "names">;

/** Finds the cards of a player in the tournaments of the last month. @param text a member number, or a part of the name */
export async function findCardsOfPlayer(
  session: PlayersSession,
  text: string,
): Promise<readonly FoundCard[]> {
  const { api, account } = session;
  const to = dayIn(account.timeZone, Date.now());
  const query = `?${new URLSearchParams({ from: daysBefore(to, daysOfPlay - 1), to })}`;
  const lists = await readAll(query, api.tournaments);
  const ids = new Set(lists.flatMap(({ tournaments }) => tournaments.map(({ id }) => id)));
  const cards = new Map<string, TournamentCard>();
  for (const id of ids)
    for (const page of await readAll(query, (next) => api.tournamentCards(id, next)))
      for (const card of page.cards) cards.set(card.externalId, card);
  const all = [...cards.values()];
  if (!memberNumber.test(text)) return all.filter((card) => isNamed(card, splitName(text)));
  // The list has no numbers: the cards of the register's name are read.
  const name = await api.golfer(text).then(toFullName, () => undefined);
  const likely = all.filter((card) => isNamed(card, splitName(name ?? "")));
  return await readPlayers(session, likely, text);
}

/** Finds a player's cards among the newest ones, which may be of no tournament. @param text as `findCardsOfPlayer` takes it */
export async function findNewestOfPlayer(
  session: PlayersSession,
  text: string,
): Promise<readonly FoundCard[]> {
  const { api, account } = session;
  const today = dayIn(account.timeZone, Date.now());
  const newest: CardStatus[] = [];
  let to = today;
  for (const days of [0, 6, daysOfPlay - 1]) {
    const from = daysBefore(today, days);
    const query = `?${new URLSearchParams({ from, to })}`;
    const pages = newest.length < maxRead ? await readAll(query, api.cards) : [];
    newest.push(...pages.flatMap(({ cards }) => cards).toReversed());
    to = daysBefore(from, 1);
  }
  return await readPlayers(session, newest.slice(0, maxRead), text);
}

/** Those of some cards whose player has a name or a number. */
async function readPlayers(
  { api, names }: PlayersSession,
  cards: readonly Pick<CardStatus, "externalId" | "state">[],
  text: string,
): Promise<readonly FoundCard[]> {
  const found = new Map<string, FoundCard>();
  const read = async ({ externalId, state }: (typeof cards)[number]) => {
    const { Player, Round } = (await api.card(externalId)).card;
    const playerName = (await names.ofPlayer(Player)) ?? "";
    const day = Round.StartTime.replace(/^(.{4})(..)(..).*/, "$1-$2-$3");
    if (Player.UnionID.toLowerCase() === text.toLowerCase() || isNamed({ playerName }, splitName(text)))
      found.set(externalId, { externalId, state, playerName, day });
  };
  for await (const _ of inParallel(cards, parallelReads, (one) => read(one).catch(() => undefined)));
  return cards.flatMap(({ externalId }) => found.get(externalId) ?? []);
}
