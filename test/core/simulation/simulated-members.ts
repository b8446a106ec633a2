import type { SeededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import type { AskForPlayer } from "../../../core/players/ask-for-players.ts";
import type { Environment } from "./environment.ts";
import { playerNumbers } from "./player-numbers.ts";
import type { ExchangeFaults } from "./simulated-exchange.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** Whether the union knows the player of a card. @param json the card */
export const isPlayerKnown = (json: string) => !json.includes(`"UnionID":"${playerNumbers[3]}"`);

/** The union's members, which an environment looks up: the union fails, is slow, or refuses, as its exchange does. */
export function simulatedMembers(
  from: Environment,
  time: VirtualTime,
  random: SeededRandom,
  faults: ExchangeFaults,
): AskForPlayer {
  function outcomeOf(unionId: string): Awaited<ReturnType<AskForPlayer>> {
    if (faults.down !== "no" || random.chance(faults.serverError)) return { outcome: "failed" };
    if (random.chance(faults.limit)) return { outcome: "refused" };
    return { outcome: unionId === playerNumbers[3] ? "nobody" : "found" };
  }

  return (unionId, timeout) => {
    const takes = random.whole(20, random.chance(faults.slow) ? 8000 : 300);
    if (random.chance(faults.kill)) time.after(random.whole(0, takes), from.kill);
    return new Promise((resolve) => {
      time.after(Math.min(takes, timeout), () =>
        from.resume(() => resolve(takes > timeout ? { outcome: "late" } : outcomeOf(unionId))),
      );
    });
  };
}
