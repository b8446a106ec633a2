import type { SeededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { type Item, TableBatchError } from "../../../core/aws/batch.ts";
import { deadLetterQueue } from "../../../core/aws/dead-letter-queue.ts";
import { deleteMessages } from "../../../core/aws/delete-messages.ts";
import { receiveMessages } from "../../../core/aws/receive-messages.ts";
import { QueueBatchError } from "../../../core/aws/send-messages.ts";
import { createDelivery } from "../../../core/cards/delivery/deliver.ts";
import { createDraining } from "../../../core/cards/delivery/drain-queue.ts";
import { mergeWakeUps, sendWakeUps, type WakeUp } from "../../../core/cards/delivery/queue.ts";
import type { DeliveryDependencies, DeliveryEvent } from "../../../core/cards/delivery/run.ts";
import {
  type ScorecardTable,
  scorecardTable,
  storedBreaker,
  storedCard,
} from "../../../core/cards/delivery/scorecard-table.ts";
import { maxReceives, postTiming } from "../../../core/cards/delivery/timing.ts";
import { erasedHash, type StoredCard } from "../../../core/cards/life/card.ts";
import { type CardUpdate, happened } from "../../../core/cards/life/happened.ts";
import { erasure, isErasable } from "../../../core/cards/person-data.ts";
import { deliverNow, redrive } from "../../../core/cards/resend.ts";
import { readStatuses, type StoredStatus } from "../../../core/cards/status.ts";
import { createSubmission } from "../../../core/cards/submit.ts";
import { withdraw } from "../../../core/cards/withdraw.ts";
import { RefusalError } from "../../../core/golf/refusal.ts";
import { createPlayerCheck } from "../../../core/players/check-delivered.ts";
import { playerRecall } from "../../../core/players/known-player-table.ts";
import { CredentialsUnavailableError } from "../../../core/union/account-secrets.ts";
import { wakeWaitingCards } from "../../../core/views/wake-waiting-cards.ts";
import { eventsOfChange } from "../../../core/webhooks/event.ts";
import { problemOf } from "../../../functions/http/problem.ts";
import { fits } from "../../../functions/submit-scorecards/answer.ts";
import { isFollowed } from "../cards/life/is-followed.ts";
import { noCourses } from "../cards/no-courses.ts";
import { type Environment, environment, requester, SimulatedFault } from "./environment.ts";
import type { Faults } from "./faults.ts";
import { type CardRequest, contentName, type History } from "./history.ts";
import { type Sabotage, sabotageTable } from "./sabotage.ts";
import { type SimulatedActivity, simulatedActivity } from "./simulated-activity.ts";
import { simulatedExchange } from "./simulated-exchange.ts";
import { simulatedMembers } from "./simulated-members.ts";
import { type QueuedMessage, type StoredMessage, simulatedQueue } from "./simulated-queue.ts";
import { simulatedTable } from "./simulated-table.ts";
import type { VirtualTime } from "./virtual-time.ts";

const timing = postTiming(10);
const visibilitySeconds = 60;
const apiMilliseconds = 29_000;
const operatorMilliseconds = 600_000;
const deliveryMilliseconds = 30_000;
const checkMilliseconds = 60_000;
const wakingInterval = 5 * 60_000;
export const timeZone = "Europe/Copenhagen";
/** Cards in a batch of the table's stream. */
const checkedTogether = 100;
const deliveriesAtOnce = 3;
const postSize = 50;
/** An environment's runs receive more of the queue themselves if they are given a number of messages between these: many do. */
const [minBatch, maxBatch] = [1, 3] as const;

/** What is asked of a simulated pipeline. */
export interface PipelineOptions {
  readonly faults: Faults;
  readonly giveUpMilliseconds: number;
  /** The most times a message is received; that of the stack if left out. */
  readonly maxReceives?: number | undefined;
  readonly maxInFlight?: number | undefined;
  /** Whether cards whose wake-ups were lost are looked for every five minutes. */
  readonly wakesWaiting: boolean;
  readonly sabotage?: Sabotage | undefined;
}

/** The pipeline as vendors and operators see it. */
export interface SimulatedPipeline {
  /** @returns the cards as they were answered with 201; undefined if there was no such answer */
  submit(apiSet: ApiSet, cards: readonly Submitted[]): Promise<readonly string[] | undefined>;
  /** @returns the status of the answer; 504 if there was none */
  withdraw(apiSet: ApiSet, externalId: string): Promise<number>;
  deliverNow(apiSet: ApiSet, externalId: string): Promise<number>;
  /** Erases the player of a card, if no run posts it any more. */
  erase(apiSet: ApiSet, externalId: string): Promise<void>;
  /** Undefined if there was no answer. */
  statusesOf(apiSet: ApiSet, externalIds: readonly string[]): Promise<readonly StoredStatus[] | undefined>;
  /** @returns whether it came to its end */
  redrive(vendors: readonly ApiSet[]): Promise<boolean>;
  /** Disables or enables the event source. */
  hold(isHeld: boolean): void;
  /** Deploys a consumer that reads our form of message, or one that reads another only. */
  deploy(reads: "ourForm" | "anotherForm"): void;
  /** How the event source's pollers work: as usual, not at all, or with one message a minute. */
  poll(how: Polling): void;
  /** Cards that were woken up because their wake-ups were taken for lost. */
  woken(): number;
  /** Messages that were sent to the delivery queue. */
  sent(): number;
  /** Removes every message from the queue. */
  purge(): void;
  /** Whether the breaker of a vendor is open. */
  isPaused(openedBefore?: number): boolean;
  /** How often breakers have opened. */
  openings(): number;
  /** Puts a message of another form into the queue. */
  putForeign(): void;
  /** Wakes up the next version of some card, which nobody stores. */
  wakeUpUnstored(): void;
  /** The messages of another form that were put into the queue. */
  foreign(): readonly StoredMessage[];
  /** JSON of the card that the exchange has. */
  exchangeHolds(externalId: string): string | undefined;
  /** Whether every message has been dealt with. */
  isIdle(): boolean;
  deadLetters(): readonly StoredMessage[];
  /** Environments that died at work. */
  kills(): number;
  /** Cards that were delivered later than the service objective allows. */
  delayed(): number;
  /** Counts by vendor and hour. */
  readonly activity: SimulatedActivity["reader"];
}

/** @see SimulatedPipeline.poll */
export type Polling = "usual" | "still" | "trickle";

/** A card to submit. */
export interface Submitted {
  readonly ExternalID: string;
  readonly Comment: string;
}

/** Submitting, withdrawing and delivering as the functions do it, with engines, a union and a clock that are simulated. */
export function simulatedPipeline(
  time: VirtualTime,
  random: SeededRandom,
  history: History,
  options: PipelineOptions,
): SimulatedPipeline {
  const { faults, giveUpMilliseconds, sabotage } = options;
  let environments = 0;
  let kills = 0;
  let running = 0;
  const mistake = (words: string) => history.mistakes.push(words);
  const request = requester(time, random, faults.engines);
  const deadLetters = simulatedQueue(
    request,
    time,
    random,
    faults.engines,
    { visibilitySeconds, maxInFlight: 120_000 },
    mistake,
  );
  const queue = simulatedQueue(
    request,
    time,
    random,
    faults.engines,
    {
      visibilitySeconds,
      maxInFlight: options.maxInFlight ?? 120_000,
      redrive: { maxReceives: options.maxReceives ?? maxReceives(visibilitySeconds), to: deadLetters },
    },
    mistake,
  );
  const activity = simulatedActivity(timeZone);
  /** When the breakers opened that are open. */
  const paused = new Map<string, number>();
  let openings = 0;
  let changes = 0;
  /** Does with a change of a card what the functions do that follow the table's stream. */
  function follow(update: CardUpdate): void {
    const { externalId, version } = update.card;
    const happening = { ...update, events: happened(update.before, update.card) };
    if (isFollowed(update.before, update.card)) activity.follow(happening);
    for (const { type, data } of eventsOfChange(happening, "shard")) {
      for (const { state, maybeDelivered = false } of data.cards ?? []) {
        if (state === "unknown" || state === "refused" || type !== `scorecard.${state}`) continue;
        history.of(externalId).told.push({ at: time.now(), version, state, maybeDelivered });
        history.note(externalId, "its vendor is told:", state, maybeDelivered ? "(maybe delivered)" : "");
      }
    }
  }
  const exchange = simulatedExchange(time, random, faults.exchange, timing.post, history);
  const client = simulatedTable(
    request,
    time,
    random,
    faults.engines,
    {
      onRead(by, id, item, at) {
        const card = item && cardOf(item);
        if (!id.includes("#")) return;
        const externalId = id.slice(id.indexOf("#") + 1);
        history.of(externalId).lastReads.set(by, { at, card });
        history.note(externalId, by, "reads", card ? `version ${card.version}, ${card.state}` : "nothing");
      },
      onWritten(by, id, item) {
        const card = cardOf(item);
        if (card === undefined) {
          const breaker = storedBreaker(item);
          if (breaker?.open === undefined) paused.delete(id);
          else if (!paused.has(id)) {
            openings++;
            paused.set(id, time.now());
          }
          return;
        }
        const { externalId, version, state, mustWait, atExchange, maybeAtExchange } = card;
        const { writes } = history.of(externalId);
        follow({ card, before: writes.at(-1)?.card, sequenceNumber: String(++changes) });
        if (state === "delivered" && writes.at(-1)?.card.state !== "delivered") {
          unchecked.push(card);
          newDelivered.resolve();
        }
        writes.push({ at: time.now(), by, card });
        const flags = [
          mustWait ? "must wait" : [],
          card.playerUnknown ? "player unknown" : [],
          atExchange > 0 ? `at exchange ${atExchange}` : [],
          maybeAtExchange > 0 ? `maybe at exchange ${maybeAtExchange}` : [],
        ].flat();
        const content = contentName(card.content.text());
        history.note(externalId, by, `writes version ${version}, ${content}, ${state}`, flags.join(", "));
      },
      onMistake: (by, words) => mistake(`${by} ${words}`),
      onRefused(by, id) {
        if (id.includes("#")) history.note(id.slice(id.indexOf("#") + 1), by, "finds a write refused");
      },
    },
    sabotage !== "unconditionalWrites",
  );

  const parsed = new WeakMap<Item, StoredCard>();
  /** What an item says; its content is unpacked once, however often it is read. */
  function cardOf(item: Item): StoredCard | undefined {
    const card = parsed.get(item) ?? storedCard(item);
    if (card !== undefined) parsed.set(item, card);
    return card;
  }

  const tableOf = (from: Environment): ScorecardTable =>
    sabotageTable(scorecardTable("cards", client(from), 90), sabotage);

  /** What a run posts, reads and writes with, broken on purpose if that is asked for. */
  function deliveryParts(from: Environment): Pick<DeliveryDependencies, "table" | "send" | "post"> {
    const table = tableOf(from);
    const send = sendBy(from);
    const post = exchange.post(from);
    if (sabotage === "assumeEchoed") {
      return {
        table,
        send,
        async post(account, cards, how) {
          const result = await post(account, cards, how);
          if (result.phase !== "after" || result.status >= 300) return result;
          return { ...result, echoed: new Set(cards.map(({ externalId }) => externalId)) };
        },
      };
    }
    if (sabotage !== "repostAfterRecord") return { table, send, post };
    const waiting: WakeUp[] = [];
    return {
      table: {
        ...table,
        async tryWrite(all) {
          const results = await table.tryWrite(all);
          await send(waiting.splice(0));
          return results;
        },
      },
      async send(wakeUps) {
        waiting.push(...wakeUps.filter(({ mark }) => mark === "repost"));
        await send(wakeUps.filter(({ mark }) => mark !== "repost"));
      },
      post,
    };
  }

  const sendBy = (from: Environment) => async (wakeUps: readonly WakeUp[]) => {
    const sent =
      sabotage === "noRepost"
        ? wakeUps.filter(({ mark }) => mark !== "repost")
        : sabotage === "wakeUpDropped"
          ? wakeUps.slice(0, wakeUps.length > 1 ? -1 : undefined)
          : wakeUps;
    for (const { externalId, version, mark = "", delaySeconds } of sent) {
      history.note(externalId, from.name(), `wakes up version ${version} in ${delaySeconds} s`, mark);
    }
    if (sent.length > 0) await sendWakeUps(queue.client(from), "queue", sent);
  };

  function newEnvironment(what: string): Environment {
    return environment(`${what} ${++environments}`, time, random);
  }

  /** Has an environment work for as long as it may; undefined if it dies over it. */
  async function worked<T>(from: Environment, milliseconds: number, work: Promise<T>) {
    let isOver = false;
    time.after(milliseconds, () => {
      if (!isOver) from.kill();
    });
    const result = await Promise.race([work, from.killed]);
    isOver = true;
    if (!from.isAlive()) kills++;
    return result;
  }

  const dependenciesOf = (from: Environment) => {
    const table = tableOf(from);
    const now = () => new Date(from.now());
    const send = sendBy(from);
    if (sabotage !== "storeFirst") return { table, send, now, timing };
    // The wake-ups of new versions go out after these are stored, if nothing comes between.
    const waiting: WakeUp[] = [];
    const write: ScorecardTable["write"] = async (changes) => {
      const results = await table.write(changes);
      await send(waiting.splice(0));
      return results;
    };
    return {
      table: { ...table, write },
      send: async (wakeUps: readonly WakeUp[]) => void waiting.push(...wakeUps),
      now,
      timing,
    };
  };

  /** A request about cards, answered in an environment of its own. */
  async function answered<T>(
    kind: CardRequest["kind"],
    cards: readonly { readonly externalId: string; readonly content?: string }[],
    milliseconds: number,
    work: (from: Environment) => Promise<T>,
    statusOf: (result: T) => number,
    answersOf?: (result: T) => readonly string[] | undefined,
  ): Promise<T | undefined> {
    const from = newEnvironment(kind);
    const requests = cards.map(({ externalId, content }): CardRequest => {
      const request = { kind, content, from: time.now(), until: Number.POSITIVE_INFINITY };
      history.of(externalId).requests.push(request);
      history.note(externalId, `${from.name()} begins`, content ?? "");
      return request;
    });
    const result = await worked(from, milliseconds, work(from));
    const answers = result === undefined ? undefined : answersOf?.(result);
    for (const [index, request] of requests.entries()) {
      const { externalId = "" } = cards[index] ?? {};
      request.until = time.now();
      request.status = result === undefined ? undefined : statusOf(result);
      request.answer = answers?.[index];
      request.lastReadAt = history.of(externalId).lastReads.get(from.name())?.at;
      history.note(externalId, `${from.name()} ends:`, request.status ?? "no answer");
    }
    return result;
  }

  let delayed = 0;
  function reportOf(from: Environment) {
    return (event: DeliveryEvent) => {
      if (event.kind === "recorded") delayed += event.delayed;
      if (event.kind === "failed" && !isExpected(event.error)) {
        mistake(`${from.name()}: ${(event.error as Error).stack}`);
      }
    };
  }

  function newDelivery() {
    const from = newEnvironment("run");
    const deliver = createDelivery({
      settings: { postSize, parallelPosts: 4, timing, giveUpMilliseconds, timeZone },
      ...deliveryParts(from),
      account: async (apiSet: ApiSet) => {
        await time.sleep(random.whole(1, 20));
        if (random.chance(faults.environments.withoutCredentials)) throw new CredentialsUnavailableError();
        return { username: apiSet, password: "", unionApiSet: apiSet, token: "" };
      },
      forgetAccount: () => undefined,
      now: () => new Date(from.now()),
      random: random.fraction,
      report: reportOf(from),
    });
    const client = queue.client(from);
    const drained = createDraining(deliver, {
      settings: { batchSize: random.whole(minBatch, maxBatch), postSize },
      async receive(most, signal) {
        const { promise: tooLate, reject } = Promise.withResolvers<never>();
        signal.addEventListener("abort", () => reject(signal.reason));
        const messages = await Promise.race([receiveMessages(client, "queue", most, signal), tooLate]);
        if (sabotage === "deleteAtOnce") for (const message of messages) queue.remove(message);
        return messages;
      },
      remove: (receiptHandles) => deleteMessages(client, "queue", receiptHandles),
      timeLimit: time.limit,
      report: () => undefined,
    });
    return {
      from,
      async deliver(messages: readonly QueuedMessage[], remaining: () => number) {
        const notDone = await drained(messages, remaining);
        return sabotage === "failuresUnsaid" ? [] : notDone;
      },
    };
  }

  function newPlayerCheck() {
    const from = newEnvironment("player check");
    const now = () => new Date(from.now());
    const ask = simulatedMembers(from, time, random, faults.exchange);
    const check = createPlayerCheck({
      table: tableOf(from),
      scoresForHandicap: 3,
      recall: playerRecall("cards", client(from), async () => "secret", now),
      askerOf: async () => (random.chance(faults.environments.withoutCredentials) ? undefined : ask),
      now,
    });
    return { from, check };
  }

  /** Deliveries in the table's stream whose players are not checked yet. */
  const unchecked: StoredCard[] = [];
  let newDelivered = Promise.withResolvers<void>();

  /** The event source of the player check: a batch that fails comes again. */
  async function followDeliveries(): Promise<never> {
    let players = newPlayerCheck();
    for (;;) {
      await newDelivered.promise;
      await time.sleep(random.whole(100, 1500));
      const batch = unchecked.slice(0, checkedTogether);
      if (!players.from.isAlive() || random.chance(faults.environments.givenUp)) players = newPlayerCheck();
      const { from, check } = players;
      from.beginRun();
      const endsAt = time.now() + checkMilliseconds;
      const checking = check(batch, () => endsAt - time.now()).then(
        () => true,
        (error: unknown) => {
          if (!isExpected(error)) mistake(`${from.name()}: ${(error as Error).stack}`);
          return false;
        },
      );
      if (await worked(from, checkMilliseconds, checking)) unchecked.splice(0, batch.length);
      if (unchecked.length === 0) newDelivered = Promise.withResolvers();
    }
  }
  followDeliveries().catch((error: Error) => mistake(`the player check threw: ${error.stack}`));

  const foreign: StoredMessage[] = [];
  let form: "ourForm" | "anotherForm" = "ourForm";
  let idle: ReturnType<typeof newDelivery>[] = [];
  async function deliverBatch(messages: readonly QueuedMessage[]): Promise<void> {
    if (form === "anotherForm") return;
    idle = idle.filter(({ from }) => from.isAlive() && !random.chance(faults.environments.givenUp));
    const delivery = idle.pop() ?? newDelivery();
    delivery.from.beginRun();
    const endsAt = time.now() + deliveryMilliseconds;
    const remaining = () => endsAt - time.now();
    const notDone = await worked(delivery.from, deliveryMilliseconds, delivery.deliver(messages, remaining));
    if (notDone === undefined) return;
    // It may die after its last instruction, too, before the event source has heard of it.
    if (random.chance(faults.engines.kill)) {
      delivery.from.kill();
      kills++;
      return;
    }
    idle.push(delivery);
    await time.sleep(random.whole(1, 50));
    for (const message of messages) if (!notDone.includes(message.messageId)) queue.remove(message);
  }

  let polling: Polling = "usual";
  let trickledAt = 0;
  let woken = 0;
  const look = 5_000;
  /** How many messages a poller may receive now. */
  function allowed(): number {
    if (polling === "usual") return random.whole(1, 12);
    if (polling === "still" || time.now() - trickledAt < 60_000) return 0;
    trickledAt = time.now();
    return 1;
  }
  let held: PromiseWithResolvers<void> | undefined;
  let deliveringSince = time.now();

  /** The schedule of the function that looks for cards whose wake-ups were lost. */
  async function wakeWaiting(): Promise<never> {
    for (;;) {
      await time.sleep(wakingInterval);
      for (const apiSet of held === undefined ? activity.vendors() : []) {
        const from = newEnvironment("waking");
        const waking = wakeWaitingCards(
          apiSet,
          { now: from.now(), deliveringSince },
          {
            activity: activity.reader,
            table: tableOf(from),
            send: async (wakeUps) => {
              await sendBy(from)(wakeUps);
              return [];
            },
            queue: async () => queueNow(),
            timing,
            timeZone,
          },
        ).then(
          (found) => {
            woken += found.woken;
          },
          (error: unknown) => {
            if (!isExpected(error)) mistake(`${from.name()}: ${(error as Error).stack}`);
          },
        );
        await worked(from, checkMilliseconds, waking);
      }
    }
  }
  /** What CloudWatch has of the last forty minutes. */
  const ages: number[] = [];
  async function measureQueue(): Promise<never> {
    for (;;) {
      ages.push(Math.max(0, ...queue.messages().map(({ sentAt }) => time.now() - sentAt)));
      if (ages.length > 40) ages.shift();
      await time.sleep(60_000);
    }
  }
  const queueNow = () => ({ messages: queue.messages().length, oldestAge: Math.max(0, ...ages) });
  if (options.wakesWaiting) {
    measureQueue().catch((error: Error) => mistake(error.message));
    wakeWaiting().catch((error: Error) => mistake(`the search for waiting cards threw: ${error.stack}`));
  }

  /** One of the event source's pollers. */
  async function poll(): Promise<never> {
    for (;;) {
      if (held !== undefined) await held.promise;
      const most = allowed();
      if (most === 0) {
        await time.sleep(look);
        continue;
      }
      const messages = queue.receive(most);
      if (messages.length === 0) {
        await queue.arrival();
        await time.sleep(random.whole(0, 400));
        continue;
      }
      running++;
      await deliverBatch(messages);
      running--;
    }
  }
  for (let poller = 0; poller < deliveriesAtOnce; poller++) {
    poll().catch((error: Error) => mistake(`a run threw: ${error.stack}`));
  }

  return {
    exchangeHolds: exchange.holds,
    isIdle: () => queue.messages().length === 0 && running === 0 && unchecked.length === 0,
    deadLetters: deadLetters.messages,
    kills: () => kills,
    delayed: () => delayed,
    activity: activity.reader,
    putForeign() {
      const body = JSON.stringify({ form: 1000, number: foreign.length });
      foreign.push({ body, sentAt: time.now() });
      queue.put(body);
    },
    foreign: () => foreign,
    purge: queue.purge,
    poll(how) {
      polling = how;
    },
    woken: () => woken,
    sent: queue.sent,
    isPaused: (before = Number.POSITIVE_INFINITY) => [...paused.values()].some((at) => at < before),
    openings: () => openings,
    wakeUpUnstored() {
      const stored = [...history.cards.values()].flatMap(({ writes }) => writes.at(-1)?.card ?? []);
      if (stored.length === 0) return;
      const wakeUps = random
        .shuffled(stored)
        .slice(0, 10)
        .map(({ apiSet, externalId, version }) => {
          history.note(externalId, "a dead submission wakes up version", version + 1);
          return { apiSet, externalId, version: version + 1, madeAt: time.now(), delaySeconds: 0 };
        });
      for (const { body } of mergeWakeUps(wakeUps)) queue.put(body);
    },
    deploy(reads) {
      form = reads;
    },
    hold(isHeld) {
      if (isHeld) held ??= Promise.withResolvers();
      else {
        held?.resolve();
        held = undefined;
        deliveringSince = time.now();
      }
    },
    async submit(apiSet, cards) {
      const named = cards.map(({ ExternalID, Comment }) => ({ externalId: ExternalID, content: Comment }));
      const result = await answered(
        "submit",
        named,
        apiMilliseconds,
        async (from) => {
          const submit = createSubmission({
            fits,
            ...dependenciesOf(from),
            courses: noCourses,
            timeZone,
            country: "DK",
            highestHandicapIndex: 54,
            readDigestSecret: async () => "secret",
          });
          const answers = await submit(apiSet, cards, "strict", `${from.name()}`).catch(statusOf);
          if (typeof answers !== "number") {
            return {
              status: 201,
              texts: answers.map((answer) => (answer.valid ? answer.content.text() : "")),
            };
          }
          if (answers !== 503) throw new Error(`A submission was answered with ${answers}.`);
          return { status: answers, texts: undefined };
        },
        ({ status }) => status,
        ({ texts }) => texts,
      );
      return result?.texts;
    },
    async withdraw(apiSet, externalId) {
      const work = (from: Environment) =>
        withdraw(apiSet, externalId, {
          ...dependenciesOf(from),
          timeZone,
          wait: (milliseconds) => time.sleep(milliseconds * (waitedShares[sabotage ?? ""] ?? 1)),
        }).then(() => 204, statusOf);
      return (await answered("withdraw", [{ externalId }], apiMilliseconds, work, Number)) ?? 504;
    },
    async deliverNow(apiSet, externalId) {
      const work = (from: Environment) =>
        deliverNow(apiSet, externalId, dependenciesOf(from)).then(() => 202, statusOf);
      return (await answered("deliverNow", [{ externalId }], apiMilliseconds, work, Number)) ?? 504;
    },
    async erase(apiSet, externalId) {
      const from = newEnvironment("erasure");
      const table = tableOf(from);
      const erasing = table
        .read([{ apiSet, externalId }])
        .then((found) =>
          found.filter((card) => card.contentHash !== erasedHash && isErasable(card, from.now())),
        )
        .then((cards) => table.write(cards.map((card) => erasure(card, { role: "player" }, () => false))))
        .catch((error: unknown) => {
          if (!isExpected(error)) throw error;
        });
      await worked(from, operatorMilliseconds, erasing);
    },
    async statusesOf(apiSet, externalIds) {
      const from = newEnvironment("watch");
      const began = time.now();
      const reading = readStatuses(tableOf(from), apiSet, externalIds).catch((error: unknown) => {
        if (!(error instanceof SimulatedFault || error instanceof TableBatchError)) throw error;
        return undefined;
      });
      const statuses = await worked(from, apiMilliseconds, reading);
      for (const { externalId, state } of statuses ?? []) {
        history.of(externalId).sightings.push({ state, from: began, until: time.now() });
        history.note(externalId, from.name(), "sees", state);
      }
      return statuses;
    },
    async redrive(vendors) {
      const cards = [...history.cards.keys()].map((externalId) => ({ externalId }));
      const isDone = await answered(
        "redrive",
        cards,
        operatorMilliseconds,
        (from) => {
          return redrive(vendors, {
            ...dependenciesOf(from),
            deadLetters: deadLetterQueue(deadLetters.client(from), "dead letters"),
          }).then(
            () => true,
            (error: unknown) => {
              if (!isExpected(error)) throw error;
              return false;
            },
          );
        },
        (isDone) => (isDone ? 200 : 500),
      );
      return isDone ?? false;
    },
  };
}

/** The share of its wait that a broken withdrawal waits for posts under way. */
const waitedShares: Readonly<Record<string, number>> = { noWithdrawalWait: 0, withdrawnTooEarly: 0.5 };

/** The status of the answer that an error becomes. */
function statusOf(error: unknown): number {
  if (error instanceof RefusalError) return problemOf(error).problem.status;
  throw error;
}

/** Whether an error is of an engine that fails, and not a mistake of the code. */
const isExpected = (error: unknown): boolean =>
  [SimulatedFault, TableBatchError, QueueBatchError].some((kind) => error instanceof kind);
