import { setTimeout as delay } from "node:timers/promises";
import fastify, { type FastifyError, type FastifyInstance } from "fastify";
import type { StandInAccount } from "./base/account.ts";
import { clubEndpoints, courseEndpoints } from "./endpoints/courses.ts";
import { createEntrance } from "./endpoints/entrance.ts";
import { type ExchangeDependencies, exchangeEndpoint } from "./endpoints/exchange.ts";
import { type GolferDependencies, golferEndpoints } from "./endpoints/golfer.ts";
import { readQuery } from "./endpoints/query.ts";
import { RefusalError } from "./endpoints/refusal.ts";
import { type StatisticsDependencies, statisticsEndpoint } from "./endpoints/statistics.ts";
import type { Faults } from "./exchange/faults.ts";

/** The union documents no limit, so this one is never reached. */
const largestBody = 64 * 1024 * 1024;

/** The faults and accounts of the union, besides what its endpoints use. */
interface UnionServerDependencies extends ExchangeDependencies, GolferDependencies, StatisticsDependencies {
  /** The union's current faults. */
  readonly faults: Faults;
  readonly accounts: readonly StandInAccount[];
  /** Whether every request needs the header Token. */
  readonly requiresToken: boolean;
  /** Language by which courses and tees are sorted, an IETF tag. */
  readonly language: string;
}

/**
 * The union's HTTP server. Paths ignore case and empty segments; errors are a status with a message.
 *
 * @see union-api, Endpoints
 */
export function createUnionServer(dependencies: UnionServerDependencies): FastifyInstance {
  const { union, faults, now } = dependencies;
  const app = fastify({
    bodyLimit: largestBody,
    routerOptions: { caseSensitive: false, ignoreDuplicateSlashes: true, querystringParser: readQuery },
  });

  // The exchange echoes bodies exactly as sent, so they stay text.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));

  app.setErrorHandler<FastifyError | RefusalError>((error, _request, reply) => {
    const status = error instanceof RefusalError ? error.status : (error.statusCode ?? 500);
    if (status === 401) reply.header("WWW-Authenticate", 'Basic realm="Scoring and Member API"');
    return reply.code(status).send({ Message: error.message });
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ Message: "No HTTP resource was found that matches the request." }),
  );

  app.register(async (endpoints) => {
    endpoints.addHook("onSend", async (_request, _reply, payload) => {
      const { latencyMilliseconds } = faults;
      if (latencyMilliseconds > 0) await delay(latencyMilliseconds, undefined, { ref: false });
      return payload;
    });
    endpoints.decorateRequest("account");
    const entrance = createEntrance(dependencies);
    clubEndpoints(endpoints, union, entrance);
    courseEndpoints(endpoints, union, entrance, now, dependencies.language);
    golferEndpoints(endpoints, entrance, dependencies);
    exchangeEndpoint(endpoints, entrance, dependencies);
    statisticsEndpoint(endpoints, entrance, dependencies);
  });
  return app;
}
