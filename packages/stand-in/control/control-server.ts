import fastify, { type FastifyError, type FastifyInstance } from "fastify";
import * as z from "zod";
import { type Query, readQuery } from "../endpoints/query.ts";
import { RefusalError } from "../endpoints/refusal.ts";
import { commandFaults, type Faults, faultsSchema } from "../exchange/faults.ts";
import { externalIdOf, type ReceptionRecord } from "../exchange/record.ts";
import type { Processing } from "../processing/processing.ts";

/** The parts of the stand-in that the control API reads and changes. */
interface ControlDependencies {
  readonly record: ReceptionRecord;
  readonly faults: Faults;
  readonly processing: Pick<Processing, "run" | "count">;
  /** Has a member consent to the app of an account. @returns the access token; undefined if there is no such member */
  readonly consent: (number: string, username: string) => string | undefined;
  /** Refuses the union's connections for a time. */
  readonly refuseConnections: (milliseconds: number) => void;
}

const consentSchema = z.strictObject({ number: z.string(), username: z.string() });
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
 * The control API, which a real union does not have: it shows what was received and sets faults. It has its own port, so
 * that faults of the union do not affect it, and needs no credentials, because it is on 127.0.0.1.
 *
 * - `GET /received?externalId=` every card, or those with an ExternalID
 * - `GET /requests` requests by endpoint
 * - `GET /faults` the current faults; `PUT /faults` replaces them, and those it leaves out become healthy
 * - `GET /processing` number of processed cards, and of vanished ones by reason; `POST /process` processes cards now
 * - `POST /consents` `{"number", "username"}` has a member consent to the app of an account, and gives the access token
 * - `POST /refuse-connections` `{"milliseconds"}`
 */
export function createControlServer(dependencies: ControlDependencies): FastifyInstance {
  const { record, faults, processing, consent, refuseConnections } = dependencies;
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
    commandFaults(faults, read(faultsSchema, body)),
  );
  app.get("/processing", async () => processing.count);
  app.post("/process", () => processing.run());
  app.post<{ Body: string | undefined }>("/consents", async ({ body }) => {
    const { number, username } = read(consentSchema, body);
    const token = consent(number, username);
    if (token === undefined) throw new RefusalError(404, "There is no such member.");
    return { token };
  });
  app.post<{ Body: string | undefined }>("/refuse-connections", async ({ body }) => {
    const refusal = read(refusalSchema, body);
    refuseConnections(refusal.milliseconds);
    return refusal;
  });
  return app;
}
