import type { FastifyRequest } from "fastify";
import type { StandInAccount, StandInResource } from "../base/account.ts";
import type { SeededRandom } from "../base/seeded-random.ts";
import type { Faults } from "../exchange/faults.ts";
import type { ReceptionRecord, StandInEndpoint } from "../exchange/record.ts";
import { authentication, authorize, requireHeaders } from "./authentication.ts";
import { RefusalError } from "./refusal.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The authenticated account; set by the entrance. */
    account: StandInAccount;
  }
}

/** Creates the hook that checks an endpoint's requests. */
export type Entrance = (
  endpoint: StandInEndpoint,
  resource: StandInResource,
) => (request: FastifyRequest) => Promise<void>;

/** The accounts and faults that requests are checked against, and the record that counts them. */
interface EntranceDependencies {
  readonly accounts: readonly StandInAccount[];
  /** Whether every request needs the header Token, not only a lookup by token. */
  readonly requiresToken: boolean;
  readonly faults: Faults;
  readonly record: ReceptionRecord;
  /** Decides which reads fail. */
  readonly random: SeededRandom;
}

/** Counts each request, and then checks outage, credentials, permission, headers and read faults, in this order. */
export function createEntrance(dependencies: EntranceDependencies): Entrance {
  const { accounts, requiresToken, faults, record, random } = dependencies;
  const authenticate = authentication(accounts);
  return (endpoint, resource) => async (request) => {
    record.requests[endpoint]++;
    if (faults.outage) throw new RefusalError(503, "The service is unavailable.");
    const account = authenticate(request.headers.authorization);
    // The statistics have an API set of their own, for every account.
    const { apiset = account.apiSet } = request.params as { readonly apiset?: string };
    authorize(account, apiset, resource);
    requireHeaders(request.headers, requiresToken || resource === "golfer-by-token");
    request.account = account;
    if (request.method === "GET" && random.chance(faults.readFailShare)) {
      throw new RefusalError(500, "An error has occurred.");
    }
  };
}
