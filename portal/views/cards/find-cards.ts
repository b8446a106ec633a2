import { inParallel, type TournamentCard } from "@scorecard-pipeline/scorecards-client";
import { dayIn, daysBefore } from "../../base/format.ts";
import { toFullName } from "../../base/player-names.ts";
import type { Session } from "../../base/session.ts";

/** Days of play whose cards are looked through: as many as the API lists at once. */
const daysOfPlay = 31;
/** Cards whose member number is read, one request each. */
const maxRead = 300;
const parallelReads = 4;
const memberNumber = /^\d{1,4}-[0-9A-Za-z]{1,8}$/;

const splitName = (name: string): readonly string[] =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/** Whether a name has all of the words, or their beginnings, in any order. */
function isNamed({ playerName = "" }: TournamentCard, wanted: readonly string[]): boolean {
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

/** Finds the cards of a player in the tournaments of the last month. @param text a member number, or a part of the name */
export async function findCardsOfPlayer(
  { api, account }: Pick<Session, "api" | "account">,
  text: string,
): Promise<readonly TournamentCard[]> {
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
  // Without the register's name, or if cards have another one, only the cards themselves tell the number.
  const name = await api.golfer(text).then(toFullName, () => undefined);
  const [likely, others] = [true, false].map((isLikely) =>
    all.filter((card) => isNamed(card, splitName(name ?? "")) === isLikely),
  );
  const found = await ofMember(api, likely ?? [], text);
  return found.length > 0 ? found : await ofMember(api, (others ?? []).slice(0, maxRead), text);
}

/** Those of some cards that have a member's number. */
async function ofMember(
  api: Pick<Session["api"], "card">,
  cards: readonly TournamentCard[],
  unionId: string,
): Promise<readonly TournamentCard[]> {
  const found = new Set<TournamentCard>();
  const read = async (one: TournamentCard) => {
    const { UnionID } = (await api.card(one.externalId)).card.Player;
    if (UnionID.toLowerCase() === unionId.toLowerCase()) found.add(one);
  };
  for await (const _ of inParallel(cards, parallelReads, (one) => read(one).catch(() => undefined)));
  return cards.filter((one) => found.has(one));
}
