import { isDeepStrictEqual } from "node:util";
import { APIGatewayClient } from "@aws-sdk/client-api-gateway";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import { demoAccounts, type StandIn, type StandInAccount } from "@scorecard-pipeline/stand-in";
import { afterAll } from "vitest";
import { vendorResources } from "../../core/accounts/account.ts";
import { accountTable } from "../../core/accounts/account-table.ts";
import { usageKeys } from "../../core/accounts/usage-keys.ts";
import { createVendors, type DemoAccount, demoVendors } from "../../local/pipeline/demo-accounts.ts";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import {
  type OneMachine,
  type OneMachineOptions,
  startOneMachine,
} from "../../local/pipeline/one-machine.ts";
import { assemblyOf } from "../synthesized-stack.ts";
import { checkDocumented } from "./documented-answers.ts";
import { type PrivateData, privateData } from "./private-data.ts";

/** An answer of the API. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, parsed; undefined where it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there
  readonly body: any;
}

/** What a vendor does with the API. */
export interface Vendor {
  readonly account: DemoAccount;
  /**
   * Asks the API, and fails where its answer is not as its OpenAPI document describes it.
   *
   * @param path below the API set
   */
  ask(
    method: string,
    path: string,
    body?: string | Uint8Array,
    headers?: Record<string, string>,
  ): Promise<ApiResponse>;
  submit(cards: readonly unknown[], headers?: Record<string, string>): Promise<ApiResponse>;
  /** What became of one card. */
  status(externalId: string): Promise<ApiResponse["body"]>;
  /** The state of each card, in order. */
  states(externalIds: readonly string[]): Promise<string[]>;
}

/** A pipeline on this machine, with its union. */
export interface Pipeline {
  readonly machine: OneMachine;
  readonly standIn: StandIn;
  /** All that the functions have logged. */
  readonly logs: readonly string[];
  vendor(number: 0 | 1 | 2): Vendor;
  /** A card without a fault, of a course and a player that the union has. */
  card(externalId: string, change?: Readonly<Record<string, unknown>>): ReturnType<typeof minimalCard>;
  /** A vendor with all resources that has sent nothing yet. */
  createVendor(change?: Partial<Pick<DemoAccount, "apiSet" | "resources" | "club">>): Promise<Vendor>;
  /**
   * Asks without an account, and fails where the answer is not as documented.
   *
   * @param path below the stage
   */
  ask(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<ApiResponse>;
  /** Fails if a function has logged anything of a person, or a secret. */
  checkLogs(): void;
  /** Ends it, and checks its logs. */
  stop(): Promise<void>;
}

/** For `vi.waitFor` before the tests of a file, where nothing can be polled: only what never comes takes so long. */
export const patient = { timeout: 240_000, interval: 100 };

/** Accounts at the union that are free for `createVendor`. */
const spareAccounts: readonly StandInAccount[] = Array.from({ length: 100 }, (_, place) => {
  const username = `vendor-${place + 1}`;
  return { username, password: `${username}-secret`, apiSet: username };
});

/**
 * Brings up a pipeline of its own for one test file.
 *
 * @param options replaces what most tests use, e.g. by an assembly with other settings
 */
export async function startPipeline(options: Partial<OneMachineOptions> = {}): Promise<Pipeline> {
  const logs: string[] = [];
  const machine = await startOneMachine({
    assembly: options.assembly ?? (await assemblyOf()),
    port: 0,
    log: ({ function: name, text }) => logs.push(`${name}: ${text}`),
    progress: () => undefined,
    unionAccounts: spareAccounts,
    ...options,
  });
  // Schedules fire as the run begins, and one of them mirrors what a test is about to change.
  await machine.settled;
  const { standIn, run } = machine;
  if (standIn === undefined) throw new Error("The stand-in is not there.");
  const known = privateData(standIn.members, [...demoAccounts, ...spareAccounts]);
  const free = [...spareAccounts];
  let checked = 0;
  const checkLogs = () => {
    const found = known.foundIn(logs.slice(checked));
    checked = logs.length;
    if (found.length > 0) throw new Error(`Private data was logged:\n${found.slice(0, 10).join("\n")}`);
  };
  return {
    machine,
    standIn,
    logs,
    vendor: (number) => vendorOf(run.api, demoVendors[number] as DemoAccount, known),
    card: (ExternalID, change) => minimalCard(standIn, { ExternalID, ...change }),
    createVendor: async (change) => {
      const spare = free.shift();
      if (spare === undefined) throw new Error("All accounts are taken.");
      const account = { ...spare, resources: vendorResources, ...change };
      await createAccount(machine, account);
      return vendorOf(run.api, account, known);
    },
    ask: (method, path, body, headers) => askApi(run.api, method, path, { body, headers }, known),
    checkLogs,
    async stop() {
      await machine.stop();
      checkLogs();
    },
  };
}

async function createAccount({ run }: OneMachine, account: DemoAccount): Promise<void> {
  const client = { region: run.region, credentials: localCredentials };
  const dynamodb = new DynamoDBClient({ ...client, endpoint: run.dynamodb });
  const gateway = new APIGatewayClient({ ...client, endpoint: run.apiGateway });
  const table = accountTable(run.resource("AccountTable"), dynamodb);
  await createVendors([account], table, usageKeys(gateway), run.outputs.TournamentUsagePlanId ?? "");
  dynamodb.destroy();
  gateway.destroy();
}

/** A pipeline for the tests of one file, after which it ends. @param start brings it up; one of the file's own if left out */
export async function providePipeline(start: () => Promise<Pipeline> = startPipeline): Promise<Pipeline> {
  const pipeline = await start();
  afterAll(() => pipeline.stop());
  return pipeline;
}

/** What the exchange has received of a vendor's card, in order. A busy machine may post the same content twice: it counts once. */
export function receivedCards({ standIn }: Pipeline, { account }: Vendor, externalId: string) {
  const cards = standIn.received
    .filter(({ apiSet }) => apiSet === account.apiSet)
    .map(({ card }) => card as { readonly ExternalID: string; readonly Comment?: string })
    .filter(({ ExternalID }) => ExternalID === externalId);
  return cards.filter((card, place) => !isDeepStrictEqual(card, cards[place - 1]));
}

/**
 * All entries of a list that the API gives in pages.
 *
 * @param path below the API set, with the query of the first page
 * @param list name of the list in the answer
 */
export async function readPages(vendor: Vendor, path: string, list: string): Promise<ApiResponse["body"][]> {
  const found: ApiResponse["body"][] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, text, body } = await vendor.ask("GET", next);
    if (status !== 200) throw new Error(`${next} was answered with ${status}: ${text}`);
    found.push(...body[list]);
    next = body.next && `${path.replace(/\?.*/, "")}${body.next}`;
  }
  return found;
}

let shared: Promise<Pipeline> | undefined;

/**
 * The pipeline of all files of this worker that can share one: its tests leave delivery and the union as they found them. It ends
 * with the worker; `stop` looks for private data in its logs.
 */
export async function sharedPipeline(): Promise<Pipeline> {
  shared ??= startPipeline();
  const pipeline = await shared;
  return { ...pipeline, stop: async () => pipeline.checkLogs() };
}

/** The shared pipeline with two new vendors instead of the demo ones, for a file that counts cards or changes accounts. */
export async function sharedPipelineWithNewVendors(): Promise<Pipeline> {
  const pipeline = await sharedPipeline();
  const [first, second] = [await pipeline.createVendor(), await pipeline.createVendor()];
  return { ...pipeline, vendor: (number) => [first, second][number] ?? pipeline.vendor(number) };
}

interface Sent {
  readonly body: string | Uint8Array | undefined;
  readonly headers: Record<string, string> | undefined;
}

async function askApi(
  api: string,
  method: string,
  path: string,
  { body, headers = {} }: Sent,
  known?: PrivateData,
): Promise<ApiResponse> {
  known?.sent(path, headers, typeof body === "string" ? parsed(body) : undefined);
  const response = await fetch(`${api}/${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: body as string | Uint8Array<ArrayBuffer> }),
  });
  const text = await response.text();
  checkDocumented(method, path, { status: response.status, headers: response.headers, text });
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/**
 * A vendor that talks to an API.
 *
 * @param known told of every person and secret in what the vendor sends
 */
export function vendorOf(api: string, account: DemoAccount, known?: PrivateData): Vendor {
  const { username, password, apiSet } = account;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const ask: Vendor["ask"] = (method, path, body, headers) =>
    askApi(
      api,
      method,
      `${apiSet}/${path}`,
      { body, headers: { Authorization: authorization, "Content-Type": "application/json", ...headers } },
      known,
    );
  return {
    account,
    ask,
    submit: (cards, headers) => ask("POST", "ScorecardExchange", JSON.stringify(cards), headers),
    status: async (externalId) =>
      (await ask("GET", `ScorecardExchange/${encodeURIComponent(externalId)}`)).body,
    async states(externalIds) {
      const query = externalIds.map((externalId) => `ExternalID=${encodeURIComponent(externalId)}`).join("&");
      const { body } = await ask("GET", `ScorecardExchange?${query}`);
      return body.cards.map(({ state }: { state: string }) => state);
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
