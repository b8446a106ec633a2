import { startDynamoDb } from "@scorecard-pipeline/local-aws/dynamodb";
import { describe, inject } from "vitest";
import type { RunningDynamoDb } from "../core/aws/engine.ts";
import type { AmazonDynamoDb } from "./provide-amazon-dynamodb.ts";

/** A DynamoDB that tests can run on. Tables of other test files may be on it: give yours names of their own. */
export interface DynamoDbEngine {
  readonly name: "embedded" | "amazon";
  /** Why it is not to be had here. */
  readonly unavailable?: string;
  start(): Promise<RunningDynamoDb>;
}

const embedded: DynamoDbEngine = {
  name: "embedded",
  async start() {
    const { address, stop } = await startDynamoDb();
    return { endpoint: address, stop };
  },
};

/** The project's own engine, and among the proofs Amazon's, which is started once for all test files. */
async function engines(): Promise<readonly DynamoDbEngine[]> {
  const address = inject("amazonDynamoDb");
  if (address === undefined) return [embedded];
  const answer = await fetch(address);
  const amazon = (await answer.json()) as AmazonDynamoDb;
  if ("unavailable" in amazon) {
    const { unavailable } = amazon;
    return [embedded, { name: "amazon", unavailable, start: () => Promise.reject(new Error(unavailable)) }];
  }
  const { endpoint } = amazon;
  return [embedded, { name: "amazon", start: async () => ({ endpoint, stop: async () => undefined }) }];
}

/**
 * Defines the same tests on each engine; on one that is not to be had they are skipped, and say why.
 *
 * @example
 * await describeOnEachEngine("a table", (engine) => {
 *   let dynamodb: RunningDynamoDb;
 *   beforeAll(async () => { dynamodb = await engine.start(); });
 *   afterAll(() => dynamodb.stop());
 * });
 */
export async function describeOnEachEngine(
  title: string,
  define: (engine: DynamoDbEngine) => void,
): Promise<void> {
  for (const engine of await engines()) {
    const { name, unavailable } = engine;
    const why = unavailable === undefined ? "" : `: ${unavailable}`;
    describe.skipIf(unavailable !== undefined)(`${title} on the ${name} DynamoDB${why}`, () =>
      define(engine),
    );
  }
}
