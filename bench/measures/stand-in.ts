import { readFileSync } from "node:fs";
import pMap from "p-map";
import { demoAccounts } from "../../packages/stand-in/demo-accounts.ts";
import type { BenchRow } from "../bench-row.ts";
import { startOwnProcess } from "../own-process.ts";
import { playedCards } from "../played-cards.ts";
import type { UnionReady } from "../union-process.ts";

const cardCount = 20_000;
const cardsPerPost = 50;
const postsAtATime = 4;
/** Cards that are posted before the clock runs, while the compiler is still at work. */
const warmUpCards = 4_000;
/** Clock ticks a second in which Linux counts a process's time. */
const ticksPerSecond = 100;

/** Seconds that a process has had of all cores together. @see proc(5), /proc/pid/stat, utime and stime */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Posts as the pipeline's delivery makes them: arrays of cards that have every hole and every point. */
function postsOf(union: UnionReady, name: string, count: number): string[] {
  const { unionIds, pars } = union;
  const filled = playedCards(union, name, count).map((card, number) => ({
    ...card,
    Course: {
      ...(card.Course as object),
      Name: "18 huller",
      Country: "DK",
      ClubName: "Golfklubben",
      TeeName: "Gul",
      TeePar: 72,
      TeeRating: "714000",
      TeeSlope: 127,
      Holes: pars.map((Par, hole) => ({ Number: hole + 1, Par, Index: hole + 1, Length: 350, SPH: 1 })),
    },
    Result: { ...(card.Result as object), Points: pars.map(() => 2), TotalPoints: 36, TotalStrokes: 0 },
    Player: { UnionID: unionIds[number % unionIds.length] },
  }));
  return Array.from({ length: count / cardsPerPost }, (_, post) =>
    JSON.stringify(filled.slice(post * cardsPerPost, (post + 1) * cardsPerPost)),
  );
}

async function deliver({ address }: UnionReady, posts: readonly string[]): Promise<void> {
  const [account] = demoAccounts;
  if (account === undefined) throw new Error("The stand-in has no account.");
  const { apiSet, username, password } = account;
  const headers = {
    Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
    "Content-Type": "application/json",
    Accept: "application/json",
    Token: "",
  };
  const url = `${address}/${apiSet}/Clubs/Members/ExchangedScorecards`;
  await pMap(
    posts,
    async (body) => {
      const response = await fetch(url, { method: "POST", headers, body });
      const echo = await response.text();
      if (response.status !== 200 || echo.length !== body.length)
        throw new Error("The exchange did not echo.");
    },
    { concurrency: postsAtATime },
  );
}

/** Has all that was posted processed; no card may have vanished. */
async function process({ control }: UnionReady): Promise<void> {
  const answer = await fetch(`${control}/process`, { method: "POST" });
  const { vanished } = (await answer.json()) as { vanished: object };
  if (Object.keys(vanished).length > 0) throw new Error(`Cards vanished: ${JSON.stringify(vanished)}`);
}

/** How many cards the stand-in takes, with 40 clubs: it must never be what another benchmark measures. */
export async function run(): Promise<BenchRow[]> {
  const module = new URL("../union-process.ts", import.meta.url);
  const { ready, pid, stop } = await startOwnProcess<UnionReady>(module, { clubs: 40 });
  try {
    const posts = postsOf(ready, "measured", cardCount);
    await deliver(ready, postsOf(ready, "warm-up", warmUpCards));
    await process(ready);
    const begun = performance.now();
    const before = processorSeconds(pid);
    await deliver(ready, posts);
    const taken = performance.now();
    const whileTaking = processorSeconds(pid) - before;
    await process(ready);
    const seconds = processorSeconds(pid) - before;
    const bytes = Buffer.byteLength(posts[0] ?? "") / cardsPerPost;
    return [
      {
        name: `cards of ${bytes.toFixed(0)} bytes taken, arrays of ${cardsPerPost}`,
        value: cardCount / ((taken - begun) / 1_000),
        unit: "/s",
        atLeast: 2_000,
      },
      { name: "the same, a second of one core", value: cardCount / whileTaking, unit: "/s", atLeast: 2_000 },
      {
        name: "taken and processed, a second of one core",
        value: cardCount / seconds,
        unit: "/s",
        atLeast: 2_000,
      },
    ];
  } finally {
    await stop();
  }
}
