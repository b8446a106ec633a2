import type { SeededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { clockDifference } from "../../../core/cards/delivery/timing.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** An execution environment. What it has asked for goes on when it is killed, but it hears of nothing any more. */
export interface Environment {
  /** Of it and the run that it is at. */
  name(): string;
  /** Begins another run. */
  beginRun(): void;
  /** Its own clock, in milliseconds since 1970. */
  now(): number;
  isAlive(): boolean;
  kill(): void;
  /** Settled when it is killed. */
  readonly killed: Promise<undefined>;
  /** Stands still from now on, for so long. */
  stall(milliseconds: number): void;
  /** Goes on with this as soon as it does not stand still; never if it has been killed. */
  resume(work: () => void): void;
}

/** How far an environment's clock is off at most, in milliseconds: two may be off in opposite ways. */
const clockError = clockDifference / 2;

/** An environment that has just started. */
export function environment(name: string, time: VirtualTime, random: SeededRandom): Environment {
  const { promise: killed, resolve } = Promise.withResolvers<undefined>();
  const ahead = random.whole(-clockError, clockError);
  let alive = true;
  let runs = 0;
  let stalledUntil = 0;
  const self: Environment = {
    name: () => (runs === 0 ? name : `${name}.${runs}`),
    beginRun() {
      runs++;
    },
    now: () => time.now() + ahead,
    isAlive: () => alive,
    kill() {
      alive = false;
      resolve(undefined);
    },
    killed,
    stall(milliseconds) {
      stalledUntil = Math.max(stalledUntil, time.now() + milliseconds);
    },
    resume(work) {
      if (!alive) return;
      const left = stalledUntil - time.now();
      if (left > 0) time.after(left, () => self.resume(work));
      else work();
    },
  };
  return self;
}

/** How likely each trouble with a request to an engine is, from 0 to 1. */
export interface EngineFaults {
  /** The environment dies while the request is under way. */
  kill: number;
  /** Refused before anything is done. */
  refuse: number;
  /** Done, but the answer is lost. */
  loseAnswer: number;
  /** The client gives up on it; it is carried out up to a minute later. */
  finishLate: number;
  /** A part of a batch is refused. */
  refusePart: number;
  /** The item of a card is throttled: no read or write of it is carried out. */
  throttled?: string | undefined;
  /** It takes up to two seconds and a half. */
  slow: number;
  /** The environment stands still for up to 20 seconds before it hears the answer. */
  stall: number;
}

/** One attempt at a request: what it does, piece by piece, and what it is answered once that is done. */
export interface Attempt<T> {
  readonly pieces: readonly (() => void)[];
  readonly answer: () => T;
}

/**
 * Makes a request from an environment.
 *
 * @param attempt describes the request, anew for each attempt
 * @throws what the last attempt failed with
 */
export type Request = <T>(from: Environment, attempt: () => Attempt<T>) => Promise<T>;

/** An engine did not do as it was asked, or did not answer. */
export class SimulatedFault extends Error {
  override readonly name = "SimulatedFault";
}

/** As many as the SDK makes. */
const attempts = 3;
const maxStall = 20_000;
const latestFinish = 60_000;
const unanswered = new Promise<never>(() => undefined);

type Course = "answered" | "refused" | "answerLost" | "late";

/** Makes requests as the SDK does: each part takes a random time, and may fail. */
export function requester(time: VirtualTime, random: SeededRandom, faults: EngineFaults): Request {
  function courseOfNext(): Course {
    if (random.chance(faults.refuse)) return "refused";
    if (random.chance(faults.loseAnswer)) return "answerLost";
    return random.chance(faults.finishLate) ? "late" : "answered";
  }

  function once<T>(from: Environment, { pieces, answer }: Attempt<T>): Promise<T> {
    const course = courseOfNext();
    const isSlow = course === "late" || random.chance(faults.slow);
    const takes = isSlow ? random.whole(200, 2500) : random.whole(1, 30);
    const dies = random.chance(faults.kill);
    const hasLeft = !dies || random.chance(0.7);
    if (dies) time.after(random.whole(0, takes), from.kill);
    if (hasLeft && course !== "refused") {
      const until = course === "late" ? latestFinish : takes;
      for (const piece of pieces) time.after(random.whole(0, until), piece);
    }
    if (random.chance(faults.stall)) time.after(takes, () => from.stall(random.whole(100, maxStall)));
    return new Promise((resolve, reject) => {
      time.after(takes, () =>
        from.resume(() => {
          if (course === "answered") resolve(answer());
          else reject(new SimulatedFault(course));
        }),
      );
    });
  }

  return async (from, attempt) => {
    for (let made = 1; ; made++) {
      await new Promise<void>((resolve) => from.resume(resolve));
      if (!from.isAlive()) return unanswered;
      try {
        return await once(from, attempt());
      } catch (error) {
        if (made === attempts) throw error;
        await time.sleep(random.whole(20, 200));
      }
    }
  };
}
