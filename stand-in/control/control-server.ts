import fastify, { type FastifyError, type FastifyInstance } from "fastify";
import * as z from "zod";
import { type Query, readQuery } from "../endpoints/query.ts";
import { RefusalError } from "../endpoints/refusal.ts";
import { commandFaults, type Faults, faultCommandSchema } from "../exchange/faults.ts";
import type { Gate } from "../exchange/gate.ts";
import { externalIdOf, type ReceptionRecord } from "../exchange/record.ts";
import type { Processing } from "../processing/processing.ts";

/** What can be commanded. */
interface ControlDependencies {
  readonly record: ReceptionRecord;
  readonly faults: Faults;
  readonly gate: Gate;
  readonly processing: Pick<Processing, "run" | "count">;
  /** Refuses the union's connections for a time. */
  readonly refuseConnections: (milliseconds: number) => void;
}

const refusalSchema = z.strictObject({ milliseconds: z.int().min(0).max(3_600_000) });

function read<T>(schema: z.ZodType<T>, body: string | undefined): T {
  try {
    return schema.parse(JSON.parse(body ?? ""));
  } catch (cause) {
    throw new RefusalError(
      400,
      cause instanceof z.ZodError ? z.prettifyError(cause) : "The body is not JSON.",
    );
  }
}

/**
 * The control address, which no union has: what was received, and faults on command. It has a port of its own, so that
 * it answers whatever is wrong with the union, and asks for no credentials, since it is on 127.0.0.1.
 *
 * - `GET /received?externalId=` every card, or those with an ExternalID
 * - `GET /requests` requests by endpoint
 * - `GET /faults` the present faults; `PUT /faults` sets them, and what its body leaves out is healthy again
 * - `GET /processing` cards processed, and those that vanished by reason; `POST /process` picks up what is there now
 * - `POST /hold`, `POST /release` posts are taken, but not answered before the release
 * - `POST /refuse-connections` `{"milliseconds"}`
 */
export function createControlServer(dependencies: ControlDependencies): FastifyInstance {
  const { record, faults, gate, processing, refuseConnections } = dependencies;
  const app = fastify({ routerOptions: { querystringParser: readQuery } });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.setErrorHandler<FastifyError | RefusalError>((error, _request, reply) =>
    reply
      .code(error instanceof RefusalError ? error.status : (error.statusCode ?? 500))
      .send({ Message: error.message }),
  );

  app.get<{ Querystring: Query }>("/received", async ({ query }) =>
    query.externalid === undefined
      ? record.received
      : record.received.filter(({ card }) => externalIdOf(card) === query.externalid),
  );
  app.get("/requests", async () => record.requests);
  app.get("/faults", async () => faults);
  app.put<{ Body: string | undefined }>("/faults", async ({ body }) =>
    commandFaults(faults, read(faultCommandSchema, body)),
  );
  app.get("/processing", async () => processing.count);
  app.post("/process", () => processing.run());
  app.post("/hold", async () => {
    gate.shut();
    return { held: true };
  });
  app.post("/release", async () => {
    gate.open();
    return { held: false };
  });
  app.post<{ Body: string | undefined }>("/refuse-connections", async ({ body }) => {
    const refusal = read(refusalSchema, body);
    refuseConnections(refusal.milliseconds);
    return refusal;
  });
  return app;
}
