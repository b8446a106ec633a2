import type { FastifyInstance } from "fastify";
import * as z from "zod";
import { type Faults, faultsSchema } from "../exchange/faults.ts";
import type { Gate } from "../exchange/gate.ts";
import { externalIdOf, type ReceptionRecord } from "../exchange/record.ts";
import type { Query } from "./query.ts";
import { Refusal } from "./refusal.ts";

/** What can be commanded. */
export interface ControlParts {
  readonly record: ReceptionRecord;
  readonly faults: Faults;
  readonly gate: Gate;
  /** Refuses connections for a time. */
  readonly refuseConnections: (milliseconds: number) => void;
}

const changesSchema = faultsSchema.partial();
const refusalSchema = z.strictObject({ milliseconds: z.int().min(0).max(3_600_000) });

function read<T>(schema: z.ZodType<T>, body: string): T {
  try {
    return schema.parse(JSON.parse(body));
  } catch (cause) {
    throw new Refusal(400, cause instanceof z.ZodError ? z.prettifyError(cause) : "The body is not JSON.");
  }
}

/**
 * The control address, which no union has: what was received, and faults on command. It asks for no credentials, since
 * it is on 127.0.0.1.
 *
 * - `GET /control/received?externalId=` every card, or those with an ExternalID
 * - `GET /control/requests` requests by endpoint
 * - `GET`, `POST /control/faults` the present faults; a POST changes those that its body names
 * - `POST /control/hold`, `/control/release` posts are taken, but not answered before the release
 * - `POST /control/refuse-connections` `{"milliseconds"}`
 */
export function controlEndpoints(app: FastifyInstance, parts: ControlParts): void {
  const { record, faults, gate, refuseConnections } = parts;

  app.get<{ Querystring: Query }>("/control/received", async ({ query }) =>
    query.externalid === undefined
      ? record.received
      : record.received.filter(({ card }) => externalIdOf(card) === query.externalid),
  );
  app.get("/control/requests", async () => record.requests);
  app.get("/control/faults", async () => faults);
  app.post<{ Body: string }>("/control/faults", async ({ body }) =>
    Object.assign(faults, read(changesSchema, body)),
  );
  app.post("/control/hold", async () => {
    gate.shut();
    return { held: true };
  });
  app.post("/control/release", async () => {
    gate.open();
    return { held: false };
  });
  app.post<{ Body: string }>("/control/refuse-connections", async ({ body }, reply) => {
    const refusal = read(refusalSchema, body);
    reply.raw.once("finish", () => refuseConnections(refusal.milliseconds));
    return refusal;
  });
}
