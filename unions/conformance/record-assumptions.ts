import { setTimeout as sleep } from "node:timers/promises";
import { type Assumption, hasStatus, isList, type UnionUnderTest } from "./assumption.ts";
import { minimalCard, postCards } from "./card-assumptions.ts";

interface Row {
  readonly Round?: { readonly StartTime?: unknown };
  readonly Result?: unknown;
}

/** The rows of a player's record. @returns what was seen instead, if it is no list */
async function readRecord(asked: UnionUnderTest, unionId: string): Promise<readonly Row[] | string> {
  const { player, recordsApiSet, apiSet } = asked.options;
  const found = await (unionId === player
    ? asked.member()
    : asked.get(`${apiSet}/Clubs/Golfer?${new URLSearchParams({ unionID: unionId })}`));
  const { Memberships } = found.json;
  const of = Memberships.find(({ UnionID }: { UnionID: string }) => UnionID === unionId) ?? Memberships[0];
  const query = new URLSearchParams({ unionid: of.UnionID });
  const reply = await asked.get(`${recordsApiSet}/clubs/${of.Club.ID}/Memberships/Scorecards?${query}`);
  return hasStatus(reply, 200) ?? (isList(reply.json) ? reply.json : "no list");
}

/** Reads a record until it has a round, or the time for it is up. */
async function waitForRound(asked: UnionUnderTest, unionId: string, startTime: string): Promise<boolean> {
  const { milliseconds, pause } = asked.options.recordWait;
  const until = performance.now() + milliseconds;
  for (;;) {
    if (await hasRound(asked, unionId, startTime)) return true;
    if (performance.now() > until) return false;
    await sleep(pause);
  }
}

async function hasRound(asked: UnionUnderTest, unionId: string, startTime: string): Promise<boolean> {
  const rows = await readRecord(asked, unionId);
  if (typeof rows === "string") throw new Error(rows);
  return rows.some(({ Round }) => Round?.StartTime === startTime);
}

/** What the pipeline takes for granted of players' records. */
export const recordAssumptions: readonly Assumption[] = [
  {
    name: "Records: a list with Round.StartTime and Result",
    needs: ["player", "records"],
    async check(asked) {
      const rows = await readRecord(asked, asked.options.player ?? "");
      if (typeof rows === "string") return rows;
      return rows.every(({ Round, Result }) => typeof Round?.StartTime === "string" && Result)
        ? undefined
        : "another form";
    },
  },
  {
    name: "Records: a card corrected to another player leaves the first player's record",
    needs: ["player", "records", "cards", "otherPlayer"],
    async check(asked) {
      const { player = "", otherPlayer = "", now } = asked.options;
      const card = await minimalCard(asked, "player");
      // Seconds that no round of the players' own has.
      const StartTime =
        card.Round.StartTime.slice(0, 9) + now.toISOString().slice(11, 19).replaceAll(":", "");
      const first = { ...card, Round: { ...card.Round, StartTime } };
      await postCards(asked, [first]);
      if (!(await waitForRound(asked, player, StartTime)))
        return { unseen: "the round did not come into the first record" };
      await postCards(asked, [{ ...first, Player: { UnionID: otherPlayer } }]);
      if (!(await waitForRound(asked, otherPlayer, StartTime)))
        return { unseen: "the correction did not come into the second record" };
      return (await hasRound(asked, player, StartTime)) ? "both players' records have the round" : undefined;
    },
  },
];
