import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { SeededRandom } from "../base/seeded-random.ts";
import type { Faults } from "../exchange/faults.ts";
import { externalIdOf, type ReceptionRecord, requestCount } from "../exchange/record.ts";
import { type RefusalIn2xx, refuseIn2xx } from "../exchange/refuse-in-2xx.ts";
import type { Entrance } from "./entrance.ts";
import { RefusalError } from "./refusal.ts";

/** The exchange's path and faults, and the record that it adds received cards to. */
export interface ExchangeDependencies {
  /** Path below the API set. */
  readonly path: string;
  readonly record: ReceptionRecord;
  /** The current faults of an API set's posts. */
  readonly faultsOf: (apiSet: string) => Faults;
  /** Decides which posts and cards have faults. */
  readonly random: SeededRandom;
  readonly now: () => Date;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new RefusalError(500, "The request body is not valid JSON.", { cause });
  }
}

/** Breaks the connection halfway through the response. */
function cut(reply: FastifyReply, answer: string): FastifyReply {
  const bytes = Buffer.from(answer);
  reply.hijack();
  reply.raw.writeHead(200, { "Content-Type": "application/json", "Content-Length": bytes.length });
  reply.raw.write(bytes.subarray(0, bytes.length / 2), () => reply.raw.destroy());
  return reply;
}

/** Refuses a post that has a poisoned card. */
function refusePoison(cards: readonly unknown[], { poison }: Faults): void {
  for (const card of cards) {
    const externalId = externalIdOf(card) ?? "";
    // `constructor` may be an ExternalID, so inherited properties must not count.
    const status = Object.hasOwn(poison, externalId) ? poison[externalId] : undefined;
    if (status !== undefined) throw new RefusalError(status, "A scorecard cannot be processed.");
  }
}

/** How a card is refused in a 2xx response. */
function chooseRefusal(card: unknown, { refuseIn2xx }: Faults): RefusalIn2xx | undefined {
  const externalId = externalIdOf(card) ?? "";
  return Object.hasOwn(refuseIn2xx, externalId) ? refuseIn2xx[externalId] : undefined;
}

function sendEcho(reply: FastifyReply, body: string, { latin1 }: Faults): FastifyReply {
  if (latin1 === "no") return reply.type("application/json").send(body);
  // fastify adds a charset to a text, and none to bytes.
  const charset = latin1 === "declared" ? "; charset=iso-8859-1" : "";
  return reply.header("Content-Type", `application/json${charset}`).send(Buffer.from(body, "latin1"));
}

/**
 * Endpoint 7: accepts scorecards without validation and echoes them.
 *
 * Any valid JSON is accepted; if it is not an array, it counts as one card.
 *
 * @see union-api, Scorecard submission and Errors
 */
export function exchangeEndpoint(
  app: FastifyInstance,
  entrance: Entrance,
  dependencies: ExchangeDependencies,
): void {
  const { path, record, faultsOf, random, now } = dependencies;

  app.post<{ Body: string }>(
    `/:apiset/${path}`,
    { onRequest: entrance("scorecards", "scorecards") },
    async (request, reply) => {
      const faults = faultsOf(request.account.apiSet);
      if (faults.outage) throw new RefusalError(503, "The service is unavailable.");
      if (random.chance(faults.throttleShare)) {
        reply.header("Retry-After", "1");
        throw new RefusalError(429, "There are too many requests.");
      }
      if (random.chance(faults.failShare)) {
        if (faults.failStatus === 200)
          return reply.type("text/html").send("<html><body>Welcome</body></html>");
        throw new RefusalError(faults.failStatus, "An error has occurred.");
      }
      const sent = parse(request.body ?? "");
      const cards: unknown[] = Array.isArray(sent) ? sent : [sent];
      refusePoison(cards, faults);
      const isEchoed = (card: unknown) =>
        !random.chance(faults.echoLossShare) && !faults.unechoed.includes(externalIdOf(card) ?? "");
      const isWhole = faults.echoLossShare === 0 && faults.unechoed.length === 0;
      const kept = isWhole ? cards : cards.filter(isEchoed);
      const answered = kept.map((card) => ({ card, refusal: chooseRefusal(card, faults) }));
      const shared = { apiSet: request.account.apiSet, at: now(), request: requestCount(record) };
      for (const { card, refusal } of answered)
        if (refusal === undefined) record.received.push({ ...shared, card });
      if (random.chance(faults.lateShare)) await delay(faults.lateMilliseconds, undefined, { ref: false });
      const isRefused = answered.some(({ refusal }) => refusal !== undefined);
      const whole = kept.length === cards.length ? request.body : JSON.stringify(kept);
      const { status, body } = isRefused ? refuseIn2xx(answered) : { status: 200, body: whole };
      if (random.chance(faults.cutShare)) return cut(reply, body);
      return sendEcho(reply.code(status), body, faults);
    },
  );
}
