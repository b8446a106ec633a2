import { startLoopbackServer } from "@scorecard-pipeline/local-aws/loopback-server";
import type { TestProject } from "vitest/node";
import type { RunningDynamoDb } from "../core/aws/engine.ts";
import { startAmazonDynamoDb } from "./amazon-dynamodb.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** An address that answers where Amazon's DynamoDB Local is, or why it is not; `npm test` does without. */
    readonly amazonDynamoDb?: string;
  }
}

/** What the address answers. */
export type AmazonDynamoDb = { readonly endpoint: string } | { readonly unavailable: string };

/**
 * Starts Amazon's DynamoDB Local once for all test files, and only if one of them asks for it: it takes seconds and
 * a Java.
 */
export default async function provideAmazonDynamoDb(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<RunningDynamoDb> | undefined;
  const server = await startLoopbackServer((_request, response) => {
    starting ??= startAmazonDynamoDb().catch((error: Error) => {
      // Skipped tests are not in the output, so a machine without it would look like one on which they pass.
      console.log(
        `\nAmazon's DynamoDB Local is not here, so tests run on the embedded engine only: ${error.message}`,
      );
      throw error;
    });
    const answer = (body: AmazonDynamoDb): unknown => response.end(JSON.stringify(body));
    starting.then(
      ({ endpoint }) => answer({ endpoint }),
      (error: Error) => answer({ unavailable: error.message }),
    );
  });
  project.provide("amazonDynamoDb", server.address);
  return async () => {
    await server.stop();
    const engine = await starting?.catch(() => undefined);
    await engine?.stop();
  };
}
