import { cardsInMessage } from "../../core/cards/delivery/queue.ts";
import { type Charged, chargedNames, dollarsOf } from "../cost/charged.ts";
import { startCountedPipeline } from "../cost/counted-pipeline.ts";
import type { DeliveryDay } from "./simulate-delivery.ts";

/** What a card is charged for, counted in this run at the engines. */
export interface MeasuredCharges {
  /** To be accepted, by how many cards a submission has. */
  readonly submitted: ReadonlyMap<number, Charged>;
  /** To be delivered, beside what an invocation is charged for however many cards it has. */
  readonly delivered: Charged;
  readonly invocation: Charged;
  /** Gigabytes that deliver-scorecards is given. */
  readonly deliveryGigabytes: number;
}

const submissionSizes = [1, 100] as const;
const cardsMeasured = 300;
/** Delivered one by one, each in an invocation of its own. */
const singles = 5;

const names = Object.keys(chargedNames) as (keyof Charged)[];

/** Charges made of others, one by one. */
function combined(make: (name: keyof Charged) => number): Charged {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<keyof Charged, number>;
}

/** Counts what cards are charged for: held back, so that accepting them and delivering them are counted apart. */
export async function measureCharges(): Promise<MeasuredCharges> {
  const pipeline = await startCountedPipeline();
  try {
    await pipeline.warmUp();
    const one = { cards: 0, charged: combined(() => 0) };
    for (; one.cards < singles; one.cards++) {
      await pipeline.hold();
      await pipeline.submit(`single-${one.cards}`, 1, 1);
      pipeline.charged();
      await pipeline.release();
      await pipeline.delivered();
      const { all: charged } = pipeline.charged();
      const before = one.charged;
      one.charged = combined((name) => before[name] + charged[name]);
    }

    await pipeline.hold();
    pipeline.charged();
    const submitted = new Map<number, Charged>();
    for (const size of submissionSizes) {
      await pipeline.submit(`of-${size}`, cardsMeasured, size);
      const { all: charged } = pipeline.charged();
      submitted.set(
        size,
        combined((name) => charged[name] / cardsMeasured),
      );
    }
    await pipeline.release();
    await pipeline.delivered();
    const many = { cards: submissionSizes.length * cardsMeasured, charged: pipeline.charged().all };

    // Two equations: so many invocations and cards were charged for this, so many others for that.
    const runs = { one: one.charged.functionRuns, many: many.charged.functionRuns };
    const delivered = combined(
      (name) =>
        (many.charged[name] * runs.one - one.charged[name] * runs.many) /
        (many.cards * runs.one - one.cards * runs.many),
    );
    const invocation = combined((name) => (one.charged[name] - one.cards * delivered[name]) / runs.one);
    return { submitted, delivered, invocation, deliveryGigabytes: pipeline.deliveryMegabytes / 1024 };
  } finally {
    await pipeline.stop();
  }
}

/**
 * What a simulated day costs, by how many cards a submission has: what was counted of a card and of an invocation, as
 * often as there were; but time, and requests to the queue, are the simulated day's own.
 */
export function costOfDay(
  { cards, invocations, receives, emptyReceives, busySeconds }: DeliveryDay,
  { submitted, delivered, invocation, deliveryGigabytes }: MeasuredCharges,
): ReadonlyMap<number, number> {
  const delivery: Charged = {
    ...combined((name) => cards * delivered[name] + invocations * invocation[name]),
    gigabyteSeconds: busySeconds * deliveryGigabytes,
    sqsRequests: 0,
  };
  const costs = [...submitted].map(([size, charged]): [number, number] => {
    const day = combined((name) => cards * charged[name] + delivery[name]);
    // What is received in one request is deleted in one; the cards of the day come in messages of their own.
    const sqsRequests = (2 * receives + emptyReceives) / Math.min(size, cardsInMessage);
    return [size, dollarsOf({ ...day, sqsRequests: day.sqsRequests + sqsRequests })];
  });
  return new Map(costs);
}
