import { type SeededRandom, seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { isUnfinished } from "../../../core/cards/delivery/posts.ts";
import { readMessage } from "../../../core/cards/delivery/queue.ts";
import { erasedHash } from "../../../core/cards/life/card.ts";
import { isFinal } from "../../../core/cards/life/states.ts";
import { hour, minute, second } from "../../durations.ts";
import { become, type Faults, noFaults } from "./faults.ts";
import { contentName, history, traceOf } from "./history.ts";
import { exemptions, judge } from "./judge.ts";
import { judgeViews } from "./judge-views.ts";
import type { Sabotage } from "./sabotage.ts";
import { isBadContent, stoppedCard, throttledCard } from "./simulated-exchange.ts";
import { type SimulatedPipeline, simulatedPipeline } from "./simulated-pipeline.ts";
import type { StoredMessage } from "./simulated-queue.ts";
import { type Action, type Habits, steadyCard, steadyVendor, vendorDay } from "./simulated-vendor.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** Kinds of days. */
export const kinds = [
  "calm",
  "storm",
  "late",
  "conflict",
  "longOutage",
  "deployment",
  "withdrawals",
  "poison",
  "operator",
  "wrongAnswers",
  "chance",
  "partial",
  "unknown",
  "purge",
  "pollers",
  "gateway",
  "badCard",
  "throttled",
  "hold",
  "erasure",
] as const;
export type Kind = (typeof kinds)[number];

/** What a simulated day came to. */
export interface SimulatedDay {
  readonly cards: number;
  readonly kills: number;
  /** How often the exchange took a content of a card that it had already taken. */
  readonly repeats: number;
  /** Withdrawals answered with 204 though the exchange has the card, which nobody could know. */
  readonly exempt: number;
  /** What must hold and did not; empty if all was well. */
  readonly violations: readonly Violation[];
}

/** What does not hold of a card, and all that happened to it. */
export interface Violation {
  readonly words: string;
  readonly trace: readonly string[];
}

const twoDays = 48 * hour;
const outageLength = 46 * hour;
/** Writes that are carried out late, and exchanges that finish late, are done after this. */
const stragglers = 150 * second;
/** While one card is stopped each other one is posted within this time. */
const maxWaitOfOthers = 30 * second;
/** In minutes: a message comes back after a minute at least, and late if runs are long. */
const [shortestForeign, maxForeign] = [30, 90] as const;

/** What an exchange answers that is redeployed, or has a firewall before it; 200 stands for a page of HTML. */
const wrongStatuses = [200, 400, 403, 404, 406, 413, 422, 500, 502] as const;

/** Some of each kind of trouble, and often none: otherwise a rare one would never occur by itself. */
function storm(random: SeededRandom, share = 1): Faults {
  const upTo = (most: number) => (random.chance(0.4) ? 0 : random.fraction() * most * share);
  return {
    engines: {
      kill: upTo(0.05),
      refuse: upTo(0.1),
      loseAnswer: upTo(0.1),
      finishLate: upTo(0.1),
      refusePart: upTo(0.2),
      slow: upTo(0.1),
      stall: upTo(0.03),
      duplicate: upTo(0.1),
      delay: upTo(0.1),
    },
    exchange: {
      ...noFaults().exchange,
      serverError: upTo(0.3),
      unavailable: upTo(0.1),
      badGateway: upTo(0.1),
      limit: upTo(0.1),
      refuseConnection: upTo(0.1),
      cut: upTo(0.3),
      forget: upTo(0.05),
      leaveOut: upTo(0.05),
      slow: upTo(0.2),
      kill: upTo(0.1),
    },
    environments: { withoutCredentials: upTo(0.1), givenUp: 0.1 },
  };
}

function faultsOf(kind: Kind, random: SeededRandom): Faults {
  if (kind === "calm" || kind === "pollers") return noFaults();
  // Half of these days have no other trouble.
  if (
    [
      "longOutage",
      "wrongAnswers",
      "chance",
      "partial",
      "unknown",
      "purge",
      "gateway",
      "badCard",
      "throttled",
      "hold",
    ].includes(kind)
  ) {
    const { engines, environments } = random.chance(0.5) ? noFaults() : storm(random, 0.3);
    return { ...noFaults(), engines, environments };
  }
  const faults = storm(random, ["poison", "deployment", "late"].includes(kind) ? 0.3 : 1);
  if (kind === "late") {
    faults.exchange.cut = 0.3 + random.fraction() * 0.5;
    faults.exchange.finishLate = 0.5 + random.fraction() * 0.5;
    faults.exchange.sendLate = random.chance(0.5) ? 0 : 0.05;
  }
  if (kind === "poison") faults.exchange.poison = random.oneOf([...wrongStatuses, "hang"]);
  if (kind === "conflict") faults.exchange.conflicts = true;
  if (kind === "operator") faults.exchange.conflicts = random.chance(0.3);
  if (kind === "withdrawals") faults.exchange.finishLate = random.chance(0.3) ? random.fraction() : 0;
  // Runs die while they post, and the vendor withdraws what they posted.
  if (kind === "withdrawals" && random.chance(0.5)) faults.exchange.kill = random.fraction() / 2;
  return faults;
}

const weigh = (actions: Partial<Record<Action, number>>) => Object.entries(actions) as [Action, number][];

function habitsOf(kind: Kind): Habits {
  const usual: Habits = {
    actions: weigh({ correct: 4, race: 2, repeat: 2, revert: 1, withdraw: 2, deliverNow: 1 }),
    haste: 0.1,
    impatience: 0.2,
    maxSubmissions: 2,
    maxCards: 12,
    maxActions: 4,
    refused: 0.05,
    poison: 0,
    pauses: [3 * second, 40 * second, 400 * second],
  };
  switch (kind) {
    case "calm":
      return { ...usual, haste: 0.5, refused: 0 };
    case "pollers":
      return {
        ...usual,
        refused: 0,
        maxCards: 40,
        maxSubmissions: 8,
        pauses: [40 * second, 30 * minute, 2 * hour],
      };
    case "withdrawals":
      return {
        ...usual,
        actions: weigh({ withdraw: 6, correct: 2, repeat: 1, deliverNow: 1 }),
        maxCards: 6,
        maxActions: 8,
        pauses: [second, 5 * second, 20 * second, 60 * second],
      };
    // A bad card would be written more often than an outage allows.
    case "wrongAnswers":
      return { ...usual, refused: 0, maxActions: 2 };
    case "chance":
      return { ...usual, maxCards: 40 };
    case "purge":
      return {
        ...usual,
        actions: [["withdraw", 4], ...usual.actions],
        refused: 0,
        pauses: [3 * second, 40 * second, 30 * minute],
      };
    case "erasure":
      return { ...usual, pauses: [40 * second, 4 * hour] };
    case "hold":
      return { ...usual, refused: 0, maxActions: 3, pauses: [minute, 20 * hour, 5 * 24 * hour] };
    case "badCard":
      return { ...usual, refused: 0, actions: [["repeat", 1]] };
    case "late":
      return {
        ...usual,
        actions: [["correct", 10], ...usual.actions],
        maxCards: 6,
        maxActions: 6,
        pauses: [second, 10 * second, 60 * second, 400 * second],
      };
    case "longOutage":
      return { ...usual, maxCards: 6, maxActions: 2, pauses: [minute, 20 * hour], refused: 0 };
    case "poison":
      return { ...usual, poison: 0.15 };
    case "operator":
    case "deployment":
      return { ...usual, pauses: [40 * second, 30 * minute] };
    default:
      return usual;
  }
}

/** What happens to the pipeline from outside, until it is over. */
type Events = (
  pipeline: SimulatedPipeline,
  faults: Faults,
  time: VirtualTime,
  random: SeededRandom,
) => Promise<void>;

const shortOutage: Events = async (_, { exchange }, time, random) => {
  if (random.chance(0.5)) return;
  await time.sleep(random.whole(0, minute));
  exchange.down = random.oneOf(["noConnection", "retryAfter"]);
  await time.sleep(random.whole(second, random.oneOf([minute, hour])));
  exchange.down = "no";
};

/** Submissions that died between the wake-ups and the writes of their cards, and were not sent again. */
const deadSubmissions: Events = async (pipeline, _, time, random) => {
  for (let left = random.whole(0, 5); left > 0; left--) {
    await time.sleep(random.whole(0, 5 * minute));
    pipeline.wakeUpUnstored();
  }
};

const events: Partial<Record<Kind, Events>> = {
  calm: async () => undefined,
  async longOutage(_, { exchange }, time, random) {
    await time.sleep(random.whole(0, 10 * second));
    exchange.down = "retryAfter";
    await time.sleep(outageLength);
    exchange.down = "no";
  },
  async wrongAnswers(_, { exchange }, time, random) {
    await time.sleep(random.whole(0, 30 * second));
    exchange.wrongStatus = random.oneOf(wrongStatuses);
    exchange.wrong = 1;
    await time.sleep(random.oneOf([5 * minute, 10 * hour, outageLength]));
    exchange.wrong = 0;
  },
  async chance(_, { exchange }, time, random) {
    exchange.wrongStatus = random.oneOf(wrongStatuses);
    exchange.wrong = random.oneOf([0.1, 0.3, 0.5, 0.8]);
    await time.sleep(random.whole(minute, 2 * hour));
    exchange.wrong = 0;
  },
  async unknown(_, { exchange }, time, random) {
    exchange.refusesEach = random.chance(0.5);
    await time.sleep(random.whole(0, minute));
    exchange.unknown = random.oneOf([0.1, 0.5, 1]);
    await time.sleep(random.whole(minute, 2 * hour));
    exchange.unknown = 0;
  },
  async partial(pipeline, { exchange }, time, random) {
    await time.sleep(random.whole(0, minute));
    exchange.part = { of: random.oneOf(["player", "club", "shard"]), answer: random.oneOf(partStatuses) };
    const until = time.now() + random.whole(5 * minute, hour);
    const [apiSet = "" as ApiSet] = vendorsOf(1);
    await steadyVendor(pipeline, time, apiSet, -1, () => time.now() > until);
    exchange.part = undefined;
  },
  async purge(pipeline, { exchange }, time, random) {
    const purges = async () => {
      for (let left = random.whole(1, 4); left > 0; left--) {
        await time.sleep(random.whole(0, random.oneOf([20 * second, 2 * minute, 30 * minute])));
        pipeline.purge();
      }
    };
    const outage = async () => {
      if (random.chance(0.3)) return;
      await time.sleep(random.whole(0, random.oneOf([20 * second, 20 * minute])));
      exchange.retryAfterSeconds = random.oneOf([30, 600, 3600, 3600]);
      exchange.down = random.oneOf(["noConnection", "retryAfter", "retryAfter"]);
      await time.sleep(random.whole(second, random.oneOf([minute, 10 * minute, 2 * hour])));
      exchange.down = "no";
    };
    await Promise.all([purges(), outage()]);
  },
  async pollers(pipeline, _, time, random) {
    for (let left = random.whole(1, 3); left > 0; left--) {
      await time.sleep(random.whole(0, 20 * minute));
      pipeline.poll(random.oneOf(["still", "trickle"]));
      await time.sleep(random.whole(minute, random.oneOf([hour, 12 * hour])));
      pipeline.poll("usual");
    }
  },
  async gateway(_, { exchange }, time, random) {
    await time.sleep(random.whole(0, minute));
    exchange.lie = random.oneOf([0.1, 0.5, 1]);
    await time.sleep(random.whole(minute, random.oneOf([10 * minute, 2 * hour, 9 * hour])));
    exchange.lie = 0;
  },
  async badCard(pipeline, { exchange }, time, random) {
    await time.sleep(random.whole(0, 20 * second));
    const retryAfterSeconds = random.oneOf([0, 30, 3600]);
    exchange.part = { of: "card", answer: random.oneOf(stoppingAnswers), retryAfterSeconds };
    const until = time.now() + random.whole(5 * minute, 3 * hour);
    const [apiSet = "" as ApiSet] = vendorsOf(1);
    await steadyVendor(pipeline, time, apiSet, -1, () => time.now() > until);
    exchange.part = undefined;
  },
  async throttled(pipeline, { engines }, time, random) {
    await time.sleep(random.whole(0, 20 * second));
    const until = time.now() + random.whole(minute, random.oneOf([20 * minute, hour]));
    engines.throttled = stoppedCard;
    if (random.chance(0.5)) await time.sleep(until - time.now());
    const [apiSet = "" as ApiSet] = vendorsOf(1);
    for (let sent = 0; time.now() < until; sent++) {
      const name = `${throttledCard} ${sent}`;
      await pipeline.submit(apiSet, [name, `${apiSet}, beside it ${sent}`].map(steadyCard));
      engines.throttled = name;
      await time.sleep(random.whole(minute, 10 * minute));
    }
    engines.throttled = undefined;
  },
  async hold(pipeline, { exchange }, time, random) {
    await time.sleep(random.whole(0, 10 * minute));
    pipeline.hold(true);
    await time.sleep(random.whole(minute, random.oneOf([hour, 5 * hour, 3 * 24 * hour, 30 * 24 * hour])));
    exchange.down = random.oneOf(["no", "noConnection", "retryAfter"]);
    pipeline.hold(false);
    await time.sleep(random.whole(0, 10 * minute));
    exchange.down = "no";
  },
  async deployment(pipeline, _, time, random) {
    for (let left = random.whole(1, 4); left > 0; left--) {
      await time.sleep(random.whole(0, 10 * minute));
      pipeline.putForeign();
      pipeline.deploy("anotherForm");
      await time.sleep(random.whole(second, 40 * minute));
      pipeline.deploy("ourForm");
    }
  },
  async operator(pipeline, _, time, random) {
    for (let left = random.whole(1, 4); left > 0; left--) {
      await time.sleep(random.whole(0, 10 * minute));
      if (random.chance(0.5)) {
        pipeline.hold(true);
        await time.sleep(random.whole(second, random.oneOf([5 * minute, 4 * hour])));
        pipeline.hold(false);
      } else await pipeline.redrive(vendorsOf(3));
    }
  },
};

/** What a part of an exchange answers that is down. */
const partStatuses = [500, 502, 503, 504, 408, "hang"] as const;

/** What stops one card: limits, credentials, locks, and what never answers. */
const stoppingAnswers = [429, 401, 403, 408, 425, 503, 500, "hang"] as const;

const vendorsOf = (count: number) => Array.from({ length: count }, (_, index) => `vendor-${index}` as ApiSet);

/** A message of another form is left in the queue for an hour, since a deployment may be rolling back, then is a dead letter. */
function judgeForeign(foreign: readonly StoredMessage[], letters: readonly StoredMessage[]): string[] {
  return foreign.flatMap(({ body, sentAt }) => {
    const letter = letters.find((other) => other.body === body);
    if (letter === undefined) return ["a message of another form is not in the dead letters"];
    const minutes = (letter.sentAt - sentAt) / minute;
    const isInTime = minutes > shortestForeign && minutes < maxForeign;
    return isInTime ? [] : [`a message of another form is a dead letter after ${minutes} minutes`];
  });
}

/**
 * A day of up to three vendors, and what became of their cards when the faults are over.
 *
 * @param seed decides everything that is left to chance: the same day again
 * @param patience milliseconds after the faults in which every card must come to its end
 */
export async function simulatedDay(
  kind: Kind,
  seed: number,
  time: VirtualTime,
  sabotage?: Sabotage,
  patience = 12 * hour,
): Promise<SimulatedDay> {
  const random = seededRandom(seed, kind);
  const faults = faultsOf(kind, random);
  const isFlawless = Object.values(faults.engines).every((share) => !share);
  const isOutageOnly = isFlawless && (kind === "longOutage" || kind === "wrongAnswers");
  const isUnionAlone = ["calm", "longOutage", "wrongAnswers", "chance", "partial", "unknown"].includes(kind);
  const isGivingUp = kind === "operator" || (kind === "storm" && random.chance(0.1));
  const told = history(time);
  const pipeline = simulatedPipeline(time, random, told, {
    faults,
    giveUpMilliseconds: isGivingUp ? random.whole(minute, 10 * minute) : twoDays,
    maxReceives: kind === "operator" ? random.whole(2, 5) : undefined,
    maxInFlight: kind === "longOutage" ? 100 : undefined,
    wakesWaiting: ["purge", "pollers", "hold"].includes(kind) && sabotage !== "noWaking",
    sabotage,
  });
  const vendors = vendorsOf(random.whole(1, kind === "longOutage" ? 2 : 3));

  async function settled(patience: number): Promise<void> {
    const until = time.now() + patience;
    do {
      while (!pipeline.isIdle() && time.now() < until) await time.sleep(10 * second);
      await time.sleep(stragglers);
    } while (!pipeline.isIdle() && time.now() < until);
  }
  const isOurs = ({ body }: StoredMessage) => readMessage(body) !== undefined;
  const isLeft = () =>
    pipeline.deadLetters().some(isOurs) ||
    told.cards.values().some(({ writes }) => {
      const card = writes.at(-1)?.card;
      const isErased = card?.contentHash === erasedHash;
      return card?.state === "undelivered" && !isErased && !isBadContent(contentName(card.content.text()));
    });

  /** Persons are erased beside everything else that happens, by chances of their own. */
  async function erase(): Promise<never> {
    const chances = seededRandom(seed, kind, "erasure");
    const pause = chances.oneOf(kind === "erasure" ? [10 * minute] : [20 * minute, 7 * 24 * hour]);
    for (;;) {
      await time.sleep(chances.whole(minute, pause));
      const [card] = chances.shuffled([...told.cards.values()].flatMap(({ writes }) => writes.at(-1) ?? []));
      if (card !== undefined) await pipeline.erase(card.card.apiSet, card.card.externalId);
    }
  }

  async function day(): Promise<SimulatedDay> {
    if (kind !== "calm" && kind !== "pollers")
      erase().catch((error: Error) => told.mistakes.push(`${error.stack}`));
    const happen = events[kind] ?? shortOutage;
    const startedAt = time.now();
    let happenedUntil = startedAt;
    await Promise.all([
      ...vendors.map((apiSet) => vendorDay(pipeline, time, random, apiSet, habitsOf(kind))),
      happen(pipeline, faults, time, random).then(() => {
        happenedUntil = time.now();
      }),
      // Their wake-ups find cards that have none of their own.
      ...(kind === "calm" || kind === "pollers" || sabotage === "storeFirst"
        ? []
        : [deadSubmissions(pipeline, faults, time, random)]),
    ]);
    const outageEndedAt = time.now();
    become(faults, {
      ...noFaults(),
      exchange: { ...noFaults().exchange, conflicts: faults.exchange.conflicts },
    });
    const isSettled = () =>
      told.cards.values().every(({ writes }) => isFinal(writes.at(-1)?.card.state ?? "withdrawn"));
    let until = time.now() + patience;
    // Posts that go through show that bad cards are at fault.
    const isOver = () => isSettled() || time.now() > until;
    const haveSteadyVendors = (round: number) =>
      Promise.all(vendors.map((apiSet) => steadyVendor(pipeline, time, apiSet, round, isOver)));
    if (!["purge", "calm", "pollers"].includes(kind)) await haveSteadyVendors(0);
    // The queue has lost their messages, during a long hold, too: they are found by their counts.
    if (kind === "purge" || kind === "hold") {
      const isWaiting = () =>
        told.cards
          .values()
          .some(({ writes }) => writes.some(({ card }, n) => n === writes.length - 1 && isUnfinished(card)));
      while (isWaiting() && time.now() < until) await time.sleep(minute);
    }
    await settled(9 * hour);
    for (let rounds = 1; isLeft() && rounds <= 5; rounds++) {
      await pipeline.redrive(vendors);
      // A bad card that was a dead letter needs a witness, too, for as long as it may wait.
      until = time.now() + 9 * hour;
      if (kind === "deployment") await haveSteadyVendors(rounds);
      await settled(9 * hour);
    }

    const expectations = {
      isCalm: kind === "calm",
      isPostedOnce: kind === "pollers",
      isGivingUp,
      // A hold may be longer than the queue keeps its messages.
      isPurged: kind === "purge" || kind === "hold",
      isCardStopped: kind === "badCard",
      ...(isFlawless && ["badCard", "throttled"].includes(kind) && { maxWaitOfOthers }),
      ...(isOutageOnly && { outageEndedAt }),
      ...(kind === "purge" && isFlawless && { purgedAt: happenedUntil }),
    };
    const violations = [...told.cards.values()].flatMap((card): Violation[] => {
      const { externalId } = card;
      const found = judge(card, pipeline.exchangeHolds(externalId), expectations);
      return found.map((words) => ({ words: `${externalId}: ${words}`, trace: traceOf(card) }));
    });
    const others = [...told.mistakes, ...(pipeline.isIdle() ? [] : ["messages are left in the queue"])];
    if (isOutageOnly && pipeline.isPaused()) others.push("a breaker is open in the end");
    if (isFlawless && isUnionAlone && pipeline.delayed() > 0) {
      others.push(`${pipeline.delayed()} cards burn the error budget, though only the union failed`);
    }
    const maxOpenings = 3 * Math.ceil((happenedUntil - startedAt) / hour);
    if (isFlawless && kind === "badCard" && pipeline.openings() > maxOpenings)
      others.push(`breakers opened ${pipeline.openings()} times for one card`);
    if (kind === "pollers" && pipeline.woken() > 0)
      others.push(`${pipeline.woken()} cards were woken up, and no wake-up was lost`);
    if (isLeft()) others.push("redrive left something");
    for (const apiSet of vendors)
      others.push(...(await judgeViews(apiSet, told.cards.values(), pipeline.activity)));
    others.push(...judgeForeign(pipeline.foreign(), pipeline.deadLetters()));
    const takes = [...told.cards.values()].map(({ taken }) => {
      return taken.length - new Set(taken.map(({ post }) => post.content)).size;
    });
    return {
      cards: told.cards.size,
      kills: pipeline.kills(),
      repeats: takes.reduce((sum, count) => sum + count, 0),
      exempt: [...told.cards.values()].reduce((sum, card) => sum + exemptions(card), 0),
      violations: [...violations, ...others.map((words) => ({ words, trace: [] }))],
    };
  }
  return time.passUntil(day());
}
