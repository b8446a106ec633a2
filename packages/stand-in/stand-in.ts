import { randomBytes } from "node:crypto";
import type { ScoresForHandicap } from "@scorecard-pipeline/whs";
import type { FastifyInstance } from "fastify";
import type { StandInAccount } from "./base/account.ts";
import { seededRandom } from "./base/seeded-random.ts";
import { type StandInProfile, unionProfiles } from "./base/union-profile.ts";
import { createControlServer } from "./control/control-server.ts";
import type { Consent } from "./endpoints/golfer.ts";
import { createUnion, type Union } from "./endpoints/union.ts";
import { commandFaults, type FaultCommand, type Faults, healthy } from "./exchange/faults.ts";
import {
  emptyRecord,
  type ReceivedCard,
  type ReceptionRecord,
  type StandInEndpoint,
} from "./exchange/record.ts";
import { createListener, type Listener } from "./listener.ts";
import type { ProcessedRound } from "./processing/player.ts";
import { createProcessing, type Processing, type ProcessingCount } from "./processing/processing.ts";
import type { UnionClub, UnionCourseVersion, UnionMember } from "./register/records.ts";
import { inventUnion, type UnionData } from "./register/union-data.ts";
import { createUnionServer } from "./union-server.ts";

export type { StandInAccount } from "./base/account.ts";
export type { Faults } from "./exchange/faults.ts";
export type { ReceivedCard } from "./exchange/record.ts";

/** Options of {@link startStandIn}. */
export interface StandInOptions {
  /** Port on 127.0.0.1; 0 for any free one. */
  readonly port: number;
  /** The same seed gives the same clubs, courses and members. */
  readonly seed: number;
  readonly clubs: number;
  /** Port of the control API on 127.0.0.1; by default any free one. */
  readonly controlPort?: number;
  readonly faults?: FaultCommand;
  /** Number of invented members; by default 2,000. */
  readonly members?: number;
  readonly accounts: readonly StandInAccount[];
  /** Interval at which received cards are processed, in milliseconds; by default a second. */
  readonly processingInterval?: number;
  /** Scores that a player's first Handicap Index takes; by default as many as at the profile's union. */
  readonly scoresForHandicap?: ScoresForHandicap;
  /** The union that it is: one of {@link unionProfiles}, or one of your own; by default their first. */
  readonly profile?: StandInProfile;
  /** Whether every request needs the header Token, as one sentence of the document says; by default only a lookup by token. */
  readonly requiresToken?: boolean;
  readonly now: () => Date;
  readonly continues?: Pick<StandIn, "data" | "record">;
}

/** A union that runs on this machine. */
export interface StandIn {
  /** Base address, e.g. http://127.0.0.1:4000 */
  readonly address: string;
  readonly port: number;
  /** Base address of the control API. */
  readonly control: string;
  /** Every scorecard that the exchange accepted, in order, with its API set and time. */
  readonly received: readonly ReceivedCard[];
  /** Number of requests by endpoint, whatever their response. */
  readonly requests: Readonly<Record<StandInEndpoint, number>>;
  readonly clubs: readonly UnionClub[];
  readonly courses: readonly UnionCourseVersion[];
  /** With their current handicaps. */
  readonly members: readonly UnionMember[];
  readonly data: UnionData;
  readonly record: ReceptionRecord;
  /** Its current faults; assign to change them. */
  readonly faults: Faults;
  /** Faults of one vendor's posts, from the first call on instead of the common ones; healthy at first. */
  faultsOfVendor(apiSet: string): Faults;
  /** Has a member consent to the app of an account. @param number LifeTimeID or UnionID @returns the access token */
  consent(number: string, username: string): string;
  /** Breaks every connection and refuses new ones. */
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;
  /** Adds a version of a course, or replaces the one with its ID. */
  publish(version: UnionCourseVersion): void;
  /** Processes the received cards now instead of at the next interval. */
  process(): Promise<ProcessingCount>;
  /** A player's processed rounds in order of play, without cards that give no handicap. */
  playerRecord(unionId: string): readonly ProcessedRound[];
  /** Stops it and breaks every connection. */
  stop(): Promise<void>;
}

const defaultMembers = 2_000;
const defaultProcessingInterval = 1_000;

const addressAt = (port: number) => `http://127.0.0.1:${port}`;

/** Faults of one vendor's posts; the common ones until they are asked for. */
function createVendorFaults(faults: Faults) {
  const known = new Map<string, Faults>();
  return {
    faultsOf: (apiSet: string): Faults => known.get(apiSet) ?? faults,
    faultsOfVendor(apiSet: string): Faults {
      const own = known.get(apiSet) ?? healthy();
      known.set(apiSet, own);
      return own;
    },
  };
}

/** Opens and closes the union's listener, until it ends. */
function createConnections(listener: () => ReturnType<typeof createListener>) {
  let reopening: NodeJS.Timeout | undefined;
  let stopped = false;
  const accept = async () => {
    clearTimeout(reopening);
    if (!stopped) await listener().open();
  };
  const refuse = async () => {
    clearTimeout(reopening);
    await listener().close();
  };
  return {
    accept,
    refuse,
    refuseFor(milliseconds: number): void {
      void refuse();
      reopening = setTimeout(() => void accept(), milliseconds);
    },
    async end(): Promise<void> {
      stopped = true;
      await refuse();
    },
  };
}

/**
 * Starts a stand-in for the union: its endpoints, its Scorecard Exchange, and its calculation of handicaps.
 *
 * @throws Error if the port is taken
 * @example
 * const union = await startStandIn({ port: 0, seed: 1, clubs: 40, accounts: demoAccounts, now: () => new Date() });
 */
export async function startStandIn(options: StandInOptions): Promise<StandIn> {
  const { port, seed, clubs, members = defaultMembers, accounts, now, continues } = options;
  const { profile = unionProfiles.denmark } = options;
  const union = createUnion(continues?.data ?? inventUnion({ seed, clubs, members, now: now(), profile }));
  const record = continues?.record ?? emptyRecord();
  const faults = commandFaults(healthy(), options.faults ?? {});
  const { faultsOf, faultsOfVendor } = createVendorFaults(faults);
  const connections = createConnections(() => listener);
  const consents = new Map<string, Consent>();

  const processing = createProcessing({
    received: record.received,
    register: () => union.register,
    now,
    faults,
    scoresForHandicap: options.scoresForHandicap ?? profile.scoresForHandicap,
  });
  const pickingUp = setInterval(
    () => void processing.run(),
    options.processingInterval ?? defaultProcessingInterval,
  ).unref();

  const app = createUnionServer({
    union,
    present: processing.present,
    recordOf: processing.recordOf,
    consents,
    accounts,
    requiresToken: options.requiresToken ?? false,
    record,
    faults,
    faultsOf,
    path: profile.exchangePath,
    recordsApiSet: profile.recordsApiSet,
    language: profile.language,
    random: seededRandom(seed, "faults"),
    now,
  });
  const consent = createConsenting(union, consents);
  const { refuseFor: refuseConnections } = connections;
  const controlApp = createControlServer({ record, faults, processing, consent, refuseConnections });
  const control = await openListener(controlApp, options.controlPort ?? 0);
  const listener = await openListener(app, port);

  const parts = { union, record, faults, connections, processing, consent, listener, control };
  return createHandle({ ...parts, faultsOfVendor, now }, async () => {
    clearInterval(pickingUp);
    await Promise.all([connections.end(), control.close()]);
    await Promise.all([app.close(), controlApp.close()]);
  });
}

async function openListener(app: FastifyInstance, port: number): Promise<Listener> {
  await app.ready();
  const listener = createListener(app.routing, port);
  await listener.open();
  return listener;
}

/** Has the member of a number consent to the app of an account. @returns the access token; undefined if there is no such member */
function createConsenting(union: Union, consents: Map<string, Consent>) {
  return (number: string, username: string): string | undefined => {
    const { register } = union;
    const member = register.member({ unionId: number }) ?? register.member({ lifeTimeId: number });
    if (member === undefined) return undefined;
    const token = randomBytes(24).toString("base64url");
    consents.set(token, { memberId: member.ID, username });
    return token;
  };
}

/** The parts of a running stand-in that its caller sees or steers. */
interface RunningParts extends Pick<StandIn, "record" | "faults" | "faultsOfVendor"> {
  readonly union: Union;
  readonly connections: ReturnType<typeof createConnections>;
  readonly processing: Processing;
  readonly consent: ReturnType<typeof createConsenting>;
  readonly listener: Listener;
  readonly control: Listener;
  readonly now: () => Date;
}

/** The stand-in as its caller sees it. */
function createHandle(parts: RunningParts, stop: () => Promise<void>): StandIn {
  const { union, record, faults, connections, processing, listener, control } = parts;
  return {
    address: addressAt(listener.port),
    port: listener.port,
    control: addressAt(control.port),
    received: record.received,
    requests: record.requests,
    get clubs() {
      return union.data.clubs;
    },
    get courses() {
      return union.data.courses;
    },
    get members() {
      return union.data.members.map(processing.present);
    },
    get data() {
      return union.data;
    },
    record,
    faults,
    faultsOfVendor: parts.faultsOfVendor,
    consent(number, username) {
      const token = parts.consent(number, username);
      if (token === undefined) throw new Error(`The union has no member ${number}.`);
      return token;
    },
    refuseConnections: connections.refuse,
    acceptConnections: connections.accept,
    publish: (version) => union.publish(version, parts.now()),
    process: processing.run,
    playerRecord(unionId) {
      const member = union.register.member({ unionId });
      return (member && processing.player(member)?.rounds) ?? [];
    },
    stop,
  };
}
