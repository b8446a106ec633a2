import type { StandInAccount } from "./account.ts";
import { authorizationOnDemand, authorizationPath, isForAuthorization } from "./consent/on-demand.ts";
import { createControlServer } from "./control/control-server.ts";
import { commandFaults, type FaultCommand, type Faults, healthy } from "./exchange/faults.ts";
import { openGate } from "./exchange/gate.ts";
import {
  type Endpoint,
  emptyRecord,
  externalIdOf,
  type ReceivedCard,
  type ReceptionRecord,
} from "./exchange/record.ts";
import { createListener } from "./listener.ts";
import type { ProcessedRound } from "./processing/player.ts";
import { createProcessing, type HandicapChange, type ProcessingCount } from "./processing/processing.ts";
import { readOpenGolfApi } from "./register/open-golf-api.ts";
import type { Club, CourseVersion, Member } from "./register/records.ts";
import { inventUnion, together, type UnionData } from "./register/union-data.ts";
import { seededRandom } from "./seeded-random.ts";
import { createUnion } from "./union.ts";
import { createUnionServer } from "./union-server.ts";

export type { StandInAccount } from "./account.ts";
export type { Faults } from "./exchange/faults.ts";
export type { ReceivedCard } from "./exchange/record.ts";

/** What a stand-in is to be. */
export interface StandInOptions {
  /** Port on 127.0.0.1; 0 for any. */
  readonly port: number;
  /** The same seed gives the same clubs, courses and members. */
  readonly seed: number;
  /** Clubs that are made up. */
  readonly clubs: number;
  /** Port of the control address on 127.0.0.1; any where left out. */
  readonly controlPort?: number;
  /** What is wrong with it from the start. */
  readonly faults?: FaultCommand;
  /** Members that are made up; 2,000 where left out. */
  readonly members?: number;
  /** File of real courses in the OpenGolfAPI format, gzipped or not; each becomes a club of its own. */
  readonly coursesFile?: string;
  readonly accounts: readonly StandInAccount[];
  /** How often posted cards are picked up and processed, in milliseconds; a second where left out. */
  readonly processingInterval?: number;
  /** What every member logs in with; `fairway` where left out. */
  readonly memberPassword?: string;
  /** Lifetime of a player's access token; an hour where left out. */
  readonly tokenSeconds?: number;
  /** Path of the exchange below the API set; `Clubs/Members/ExchangedScorecards` where left out. */
  readonly exchangePath?: string;
  readonly now: () => Date;
  /** The data and record of a stand-in that was stopped: this one goes on from there. */
  readonly continues?: Pick<StandIn, "data" | "record">;
}

/** A union that runs on this machine. */
export interface StandIn {
  /** Base address, e.g. http://127.0.0.1:4000 */
  readonly address: string;
  readonly port: number;
  /** Base address at which it is commanded and asked what it received. */
  readonly control: string;
  /** Address of the authorization server at which players give their consent. */
  readonly issuer: string;
  /** Every scorecard that the exchange took, in order, with its API set and time. */
  readonly received: readonly ReceivedCard[];
  /** Requests by endpoint, whatever they were answered. */
  readonly requests: Readonly<Record<Endpoint, number>>;
  readonly clubs: readonly Club[];
  /** All versions of all courses. */
  readonly courses: readonly CourseVersion[];
  /** With the handicaps that they have by now. */
  readonly members: readonly Member[];
  readonly data: UnionData;
  readonly record: ReceptionRecord;
  /** What is wrong with it; set to command a fault. */
  readonly faults: Faults;
  /** What is wrong with one vendor's posts from now on, whatever is wrong with the others'; nothing, to begin with. */
  faultsOfVendor(apiSet: string): Faults;
  /** Resolves to the first card with this ExternalID, once there is one; an answer to it may still be held. */
  posted(externalId: string): Promise<ReceivedCard>;
  /** From now on cards are taken, but not answered before the release. */
  holdPosts(): void;
  releasePosts(): void;
  /** Cuts every connection and refuses new ones. */
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;
  /** Adds a version of a course, or puts it in the place of the one with its ID. */
  publish(version: CourseVersion): void;
  /** Picks up and processes what has been posted since, without waiting for its time. */
  process(): Promise<ProcessingCount>;
  /** A player's rounds that were processed, in order of play; cards that cannot be calculated are not among them. */
  playerRecord(unionId: string): readonly ProcessedRound[];
  /** The handicaps of everybody who has a round that was processed. */
  handicapChanges(): HandicapChange[];
  /** Ends it and cuts every connection. */
  stop(): Promise<void>;
}

/** Number of members where nothing else is asked for. */
const defaultMembers = 2_000;
const defaultProcessingInterval = 1_000;
const defaultMemberPassword = "fairway";
const defaultTokenSeconds = 3_600;

const addressAt = (port: number) => `http://127.0.0.1:${port}`;
const issuerAt = (port: number) => `${addressAt(port)}${authorizationPath}`;

async function dataFor({ seed, clubs, members, coursesFile, now }: StandInOptions): Promise<UnionData> {
  const invented = inventUnion({ seed, clubs, members: members ?? defaultMembers, now: now() });
  return coursesFile === undefined ? invented : together(invented, await readOpenGolfApi(coursesFile, now()));
}

/**
 * Starts a stand-in for the union: its endpoints, its Scorecard Exchange, and what works out handicaps.
 *
 * @throws Error where the port is taken, or the file of courses cannot be read
 * @example
 * const union = await startStandIn({ port: 0, seed: 1, clubs: 40, accounts: demoAccounts, now: () => new Date() });
 */
export async function startStandIn(options: StandInOptions): Promise<StandIn> {
  const { port, seed, accounts, now, continues } = options;
  const union = createUnion(continues?.data ?? (await dataFor(options)));
  const record = continues?.record ?? emptyRecord();
  const faults = commandFaults(healthy(), options.faults ?? {});
  const vendorFaults = new Map<string, Faults>();
  const gate = openGate();
  const waiting = new Map<string, PromiseWithResolvers<ReceivedCard>>();
  let reopening: NodeJS.Timeout | undefined;
  let stopped = false;

  const accept = async () => {
    clearTimeout(reopening);
    if (!stopped) await listener.open();
  };
  const refuse = async () => {
    clearTimeout(reopening);
    await listener.close();
  };

  const processing = createProcessing({ received: record.received, register: () => union.register, now });
  const pickingUp = setInterval(
    () => void processing.run(),
    options.processingInterval ?? defaultProcessingInterval,
  ).unref();

  const app = createUnionServer({
    union,
    present: processing.present,
    consent: async (token) => (await authorization()).consent(token),
    accounts,
    record,
    faults,
    faultsOf: (apiSet) => vendorFaults.get(apiSet) ?? faults,
    gate,
    path: options.exchangePath ?? "Clubs/Members/ExchangedScorecards",
    random: seededRandom(seed, "faults"),
    now,
    taken(entry) {
      const externalId = externalIdOf(entry.card);
      if (externalId !== undefined) waiting.get(externalId)?.resolve(entry);
    },
  });
  const controlApp = createControlServer({
    record,
    faults,
    gate,
    processing,
    refuseConnections(milliseconds) {
      void refuse();
      reopening = setTimeout(accept, milliseconds);
    },
  });
  await Promise.all([app.ready(), controlApp.ready()]);
  const control = createListener(controlApp.routing, options.controlPort ?? 0);
  await control.open();
  const authorization = authorizationOnDemand(() => ({
    issuer: issuerAt(listener.port),
    accounts,
    findMember: (number) =>
      union.register.member({ unionId: number }) ?? union.register.member({ lifeTimeId: number }),
    password: options.memberPassword ?? defaultMemberPassword,
    tokenSeconds: options.tokenSeconds ?? defaultTokenSeconds,
  }));
  const listener = createListener((request, response) => {
    if (!isForAuthorization(request.url)) return app.routing(request, response);
    record.requests.oauth++;
    if (faults.outage) return response.writeHead(503).end();
    return authorization().then((server) => server.answer(request, response));
  }, port);
  await listener.open();

  function faultsOfVendor(apiSet: string): Faults {
    const known = vendorFaults.get(apiSet) ?? healthy();
    vendorFaults.set(apiSet, known);
    return known;
  }

  return {
    address: addressAt(listener.port),
    port: listener.port,
    issuer: issuerAt(listener.port),
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
    faultsOfVendor,
    posted(externalId) {
      const known = record.received.find(({ card }) => externalIdOf(card) === externalId);
      if (known !== undefined) return Promise.resolve(known);
      const waiter = waiting.get(externalId) ?? Promise.withResolvers<ReceivedCard>();
      waiting.set(externalId, waiter);
      return waiter.promise;
    },
    holdPosts: gate.shut,
    releasePosts: gate.open,
    refuseConnections: refuse,
    acceptConnections: accept,
    publish: (version) => union.publish(version, now()),
    process: processing.run,
    playerRecord(unionId) {
      const member = union.register.member({ unionId });
      return (member && processing.player(member)?.rounds) ?? [];
    },
    handicapChanges: processing.changes,
    async stop() {
      stopped = true;
      clearInterval(pickingUp);
      await Promise.all([refuse(), control.close()]);
      gate.open();
      await Promise.all([app.close(), controlApp.close()]);
    },
  };
}
