import type { EngineFaults } from "./environment.ts";
import type { ExchangeFaults } from "./simulated-exchange.ts";
import type { QueueFaults } from "./simulated-queue.ts";

/** What goes wrong; may be changed while it does. */
export interface Faults {
  readonly engines: EngineFaults & QueueFaults;
  readonly exchange: ExchangeFaults;
  /** How often a vendor's credentials cannot be read, and idle environments are given up, from 0 to 1. */
  readonly environments: { withoutCredentials: number; givenUp: number };
}

/** Nothing goes wrong. */
export const noFaults = (): Faults => ({
  engines: {
    kill: 0,
    refuse: 0,
    loseAnswer: 0,
    finishLate: 0,
    refusePart: 0,
    throttled: undefined,
    slow: 0,
    stall: 0,
    duplicate: 0,
    delay: 0,
  },
  exchange: {
    serverError: 0,
    unavailable: 0,
    badGateway: 0,
    limit: 0,
    refuseConnection: 0,
    cut: 0,
    finishLate: 0,
    forget: 0,
    leaveOut: 0,
    wrong: 0,
    wrongStatus: 500,
    unknown: 0,
    refusesEach: false,
    poison: 422,
    part: undefined,
    lie: 0,
    slow: 0,
    kill: 0,
    sendLate: 0,
    down: "no",
    retryAfterSeconds: 30,
    conflicts: false,
  },
  environments: { withoutCredentials: 0, givenUp: 0 },
});

/** Changes faults to others. */
export function become(faults: Faults, { engines, exchange, environments }: Faults): void {
  Object.assign(faults.engines, engines);
  Object.assign(faults.exchange, exchange);
  Object.assign(faults.environments, environments);
}
