import { listPrices } from "../../lib/aws-facts.ts";
import type { BenchRow } from "../bench-row.ts";

/** What AWS charges for. */
export interface Charged {
  readonly apiRequests: number;
  readonly functionRuns: number;
  readonly gigabyteSeconds: number;
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly sqsRequests: number;
  readonly logBytes: number;
  /** Answers, gzipped as whoever accepts that gets them. */
  readonly answerBytes: number;
}

/** What a bill calls each. */
export const chargedNames: Readonly<Record<keyof Charged, string>> = {
  apiRequests: "requests to the API",
  functionRuns: "runs of functions",
  gigabyteSeconds: "GB-seconds",
  writeUnits: "write units",
  readUnits: "read units",
  sqsRequests: "SQS requests",
  logBytes: "bytes of log",
  answerBytes: "bytes of answers",
};

/** The same of something that happens so many times, or of a part of it. */
export function times(factor: number, charged: Charged): Charged {
  const scaled = Object.entries(charged).map(([name, value]) => [name, value * factor]);
  return Object.fromEntries(scaled) as Record<keyof Charged, number>;
}

/** USD, at list prices. */
export function dollarsOf(charged: Charged): number {
  return (
    charged.apiRequests * listPrices.apiRequest +
    charged.functionRuns * listPrices.lambdaRequest +
    charged.gigabyteSeconds * listPrices.gigabyteSecond +
    charged.writeUnits * listPrices.writeUnit +
    charged.readUnits * listPrices.readUnit +
    charged.sqsRequests * (listPrices.sqsRequest + listPrices.fairQueueRequest) +
    (charged.logBytes / 2 ** 30) * listPrices.logGigabyte +
    (charged.answerBytes / 2 ** 30) * listPrices.outgoingGigabyte
  );
}

const million = 1_000_000;

/** The sum of two. */
export function plus(one: Charged, other: Charged): Charged {
  const names = Object.keys(one) as (keyof Charged)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as Record<
    keyof Charged,
    number
  >;
}

/**
 * Rows for the charges of one card, and a row for the price of a million such cards.
 *
 * @param how the cards were submitted
 * @param bar USD that a million may cost
 */
export function chargedRows(perCard: Charged, how: string, bar?: number): BenchRow[] {
  const counted = Object.entries(perCard).map(([name, value]) => ({
    name: `${chargedNames[name as keyof Charged]} per card, ${how}`,
    value,
    unit: "",
  }));
  const dollars = dollarsOf(times(million, perCard));
  return [
    ...counted,
    { name: `a million cards, ${how}`, value: dollars, unit: "USD", ...(bar !== undefined && { bar }) },
  ];
}

/**
 * A row for a part of the price of a million cards.
 *
 * @param part its name
 * @param perCard its charges for a card
 * @param bar USD that it may cost
 */
export function partRow(part: string, perCard: Charged, how: string, bar?: number): BenchRow {
  const value = dollarsOf(times(million, perCard));
  return {
    name: `of it ${part}, ${how}`,
    value,
    unit: "USD",
    ...(bar !== undefined && { bar }),
  };
}
