import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import { dailyCounter, unwrittenLimit } from "../../core/accounts/daily-count-table.ts";
import { dayOf } from "../../core/formats/union-time.ts";
import { jsonOf } from "../runtime/read-settings.ts";
import { ProblemError, problem } from "./problem.ts";
import type { HttpResponse } from "./response.ts";
import type { VendorRequest } from "./vendor-request.ts";

/** The settings of a function whose requests count against a vendor's quota, to be spread into a schema. */
export const quotaSettings = {
  ACTIVITY_TABLE: z.string(),
  TIME_ZONE: z.string(),
  /** By usage plan: cards, and read units. */
  QUOTAS: jsonOf(z.record(z.string(), z.object({ cards: z.number(), units: z.number() }))),
};

type Settings = { readonly [Name in keyof typeof quotaSettings]: z.infer<(typeof quotaSettings)[Name]> };

/** What a request uses, in read units of DynamoDB. A test holds these prices against AWS's. */
export const unitPrices = {
  /** Five for the write itself: the item is read and written again when it is delivered, and becomes an event. */
  writeUnit: 15,
  /** A message that is sent, received and deleted. */
  message: 12,
  /** Bytes of a message that cost one unit more: its receiver stores the event that it posts. */
  bytesOfMessage: 200,
  /** Bytes of an answer that cost one unit: sending to the internet costs more than reading. */
  bytesOfAnswer: 1_400,
  megabyteMilliseconds: 9_500,
} as const;

/** What a client does with a request, from its input to its output. */
type Step = (args: { readonly input: object }) => Promise<{ readonly output?: object }>;

/** A client of AWS, which takes steps of others. */
interface Client {
  readonly middlewareStack: {
    add(
      middleware: (
        next: Step,
        context: { readonly commandName?: string; readonly clientName?: string },
      ) => Step,
      options: { readonly step: "initialize"; readonly name: string },
    ): void;
  };
}

interface Consumed {
  readonly CapacityUnits?: number;
}

/** The units of a command: the capacity that DynamoDB consumed, or the messages that go to SQS. */
function toUnits(command: string, input: object, output: object = {}): number {
  if ("Entries" in input) {
    return (input.Entries as readonly { readonly MessageBody?: string }[]).reduce(
      (sum, { MessageBody = "" }) =>
        sum + unitPrices.message + Math.ceil(MessageBody.length / unitPrices.bytesOfMessage),
      0,
    );
  }
  const { ConsumedCapacity = [] } = output as { ConsumedCapacity?: Consumed | readonly Consumed[] };
  const consumed = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  return /^(BatchGet|Get|Query|Scan)/.test(command) ? consumed : consumed * unitPrices.writeUnit;
}

/** Counts what requests of clients use. @returns takes the units since the last call */
function meter(clients: readonly Client[]): () => number {
  let units = 0;
  for (const { middlewareStack } of clients) {
    const count: Parameters<typeof middlewareStack.add>[0] = (next, { commandName = "", clientName }) => {
      const added = clientName === "DynamoDBClient" ? { ReturnConsumedCapacity: "TOTAL" } : {};
      return async (args) => {
        const result = await next({ ...args, input: { ...args.input, ...added } });
        units += toUnits(commandName, args.input, result.output);
        return result;
      };
    };
    middlewareStack.add(count, { step: "initialize", name: "meter" });
  }
  return () => {
    const taken = units;
    units = 0;
    return taken;
  };
}

const usedUp = (detail: string) =>
  new ProblemError(problem(429, "Quota used up", detail), { headers: { "Retry-After": "3600" } });

/** Limits what a vendor uses in a day. */
export type DailyQuota = ReturnType<typeof dailyQuota>;

/**
 * Counts what a vendor's requests use against its quota of the day. An environment answers one request at a time, so what its clients
 * use meanwhile is the request's.
 *
 * @param others besides DynamoDB's client, those that requests of vendors cause costs with
 */
export function dailyQuota(
  { ACTIVITY_TABLE, TIME_ZONE, QUOTAS }: Settings,
  dynamodb: DynamoDBClient,
  ...others: readonly Client[]
) {
  const counter = dailyCounter(ACTIVITY_TABLE, dynamodb, () => dayOf(Date.now(), TIME_ZONE));
  const takeUnits = meter([dynamodb, ...others]);
  type Vendor = Pick<VendorRequest, "apiSet" | "plan">;
  return {
    /** Counts cards of a request, good or bad. @throws ProblemError 429 if the quota was used up before */
    takeCards({ apiSet, plan = "" }: Vendor, cards: number): void {
      const { cards: limit = Number.POSITIVE_INFINITY } = QUOTAS[plan] ?? {};
      if (counter.used(apiSet).cards >= limit) {
        const most = limit.toLocaleString("en");
        throw usedUp(`Today's ${most} cards of this API set are used up, those of validations included.`);
      }
      counter.add(apiSet, { cards });
    },
    /** Answers a request, and counts what that used. @throws ProblemError 429 if the quota was used up before: then nothing is done */
    async metered<Response extends HttpResponse<string | Uint8Array>>(
      { apiSet, plan = "" }: Vendor,
      { memoryLimitInMB }: Pick<Context, "memoryLimitInMB">,
      answer: () => Promise<Response>,
    ): Promise<Response> {
      const { units: limit = Number.POSITIVE_INFINITY } = QUOTAS[plan] ?? {};
      if (counter.used(apiSet).units >= limit) {
        throw usedUp(
          "Today's requests of this API set have read or sent more than its plan allows. Follow the events instead of asking for states.",
        );
      }
      const startedAt = performance.now();
      takeUnits();
      // This writes the use of earlier requests while this one works, so most requests wait for no write.
      const written = counter.write(apiSet);
      const response = await answer();
      const used =
        takeUnits() +
        Buffer.byteLength(response.body) / unitPrices.bytesOfAnswer +
        ((performance.now() - startedAt) * Number(memoryLimitInMB)) / unitPrices.megabyteMilliseconds;
      counter.add(apiSet, { units: Math.ceil(used) });
      await written;
      if (used >= unwrittenLimit.units) await counter.write(apiSet);
      return response;
    },
  };
}
