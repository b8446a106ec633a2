import type { FastifyInstance, FastifyReply } from "fastify";
import type { Faults } from "../exchange/faults.ts";
import type { Gate } from "../exchange/gate.ts";
import { type ReceivedCard, type ReceptionRecord, requestCount } from "../exchange/record.ts";
import type { SeededRandom } from "../seeded-random.ts";
import type { Entrance } from "./entrance.ts";
import { Refusal } from "./refusal.ts";

/** What the exchange needs. */
export interface ExchangeParts {
  /** Path below the API set. */
  readonly path: string;
  readonly record: ReceptionRecord;
  readonly faults: Faults;
  /** Answers wait here. */
  readonly gate: Gate;
  /** Decides which posts and cards the faults hit. */
  readonly random: SeededRandom;
  readonly now: () => Date;
  /** Told of every card that is taken. */
  readonly taken: (entry: ReceivedCard) => void;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new Refusal(500, "The request body is not valid JSON.", { cause });
  }
}

function cut(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

/**
 * Endpoint 7: takes scorecards, validates nothing, and echoes what it was sent.
 *
 * Anything with correct syntax is taken; what is no array is taken as one card.
 *
 * @see union-api, Scorecard submission and Errors
 */
export function exchangeEndpoint(app: FastifyInstance, entrance: Entrance, parts: ExchangeParts): void {
  const { path, record, faults, gate, random, now, taken } = parts;

  app.post<{ Body: string }>(
    `/:apiset/${path}`,
    { onRequest: entrance("scorecards", "scorecards") },
    async (request, reply) => {
      if (random.chance(faults.throttleShare)) {
        reply.header("Retry-After", "1");
        throw new Refusal(429, "There are too many requests.");
      }
      if (random.chance(faults.failShare)) throw new Refusal(500, "An error has occurred.");
      const sent = parse(request.body ?? "");
      const cards: unknown[] = Array.isArray(sent) ? sent : [sent];
      const kept =
        faults.echoLossShare === 0 ? cards : cards.filter(() => !random.chance(faults.echoLossShare));
      const shared = { apiSet: request.account.apiSet, at: now(), request: requestCount(record) };
      for (const card of kept) {
        const entry = { ...shared, card };
        record.received.push(entry);
        taken(entry);
      }
      await gate.passed();
      if (random.chance(faults.cutShare)) return cut(reply);
      const echo = kept.length === cards.length ? request.body : JSON.stringify(kept);
      return reply.type("application/json").send(echo);
    },
  );
}
