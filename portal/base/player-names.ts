import type { Member } from "@scorecard-pipeline/scorecards-client";
import type { PortalApi } from "./api.ts";

/** Of a card, what says who played it. */
export interface CardPlayer {
  readonly FullName?: unknown;
  readonly UnionID?: unknown;
}

/** Requests for names at the same time, so that a list leaves the account's rate to what a person does. */
const maxParallel = 4;

/** A member's name as the union has it; undefined if it has none. */
export const toFullName = ({
  FirstName,
  LastName,
}: Pick<Member, "FirstName" | "LastName">): string | undefined =>
  [FirstName, LastName].filter(Boolean).join(" ") || undefined;

/**
 * Finds the names of players: as the card has them, otherwise by the union's member lookup. They are kept in memory until the session ends.
 *
 * @param maySeeMembers whether the account may look members up
 */
export function createPlayerNames(api: Pick<PortalApi, "card" | "golfer">, maySeeMembers: boolean) {
  const asked = new Map<string, Promise<string | undefined>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    if (running >= maxParallel) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await act();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  }
  /** A failure is no answer: whoever asks next asks anew. */
  function ask(key: string, find: () => Promise<string | undefined>): Promise<string | undefined> {
    const known = asked.get(key) ?? find();
    asked.set(key, known);
    return known.catch(() => {
      asked.delete(key);
      return undefined;
    });
  }
  function ofPlayer({ FullName, UnionID }: CardPlayer): Promise<string | undefined> {
    if (typeof FullName === "string" && FullName.trim() !== "") return Promise.resolve(FullName);
    if (!maySeeMembers || typeof UnionID !== "string") return Promise.resolve(undefined);
    return ask(`player ${UnionID}`, async () => toFullName(await inTurn(() => api.golfer(UnionID))));
  }
  return {
    ofPlayer,
    /** @param version of the card's content, since a correction may name another player */
    ofCard: (externalId: string, version = 0): Promise<string | undefined> =>
      ask(`card ${version} ${externalId}`, async () =>
        ofPlayer((await inTurn(() => api.card(externalId))).card.Player),
      ),
  };
}
