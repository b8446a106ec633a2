import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { startDynamoDb } from "@scorecard-pipeline/local-aws/dynamodb";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import { startSqs } from "@scorecard-pipeline/local-aws/sqs";
import { demoAccounts, type StandIn, startStandIn } from "@scorecard-pipeline/stand-in";
import { demoVendors } from "../../local/pipeline/demo-accounts.ts";
import { type OneMachine, startOneMachine } from "../../local/pipeline/one-machine.ts";
import { type Vendor, vendorOf } from "./pipeline.ts";

/** A deployed version of the pipeline, over tables and queues that outlive it. */
export interface Deployed {
  readonly machine: OneMachine;
  vendor(number: 0 | 1): Vendor;
  stop(): Promise<void>;
}

/** Tables, queues and a union that outlive the pipelines which are deployed over them, one after the other. */
export interface LastingEngines {
  readonly standIn: StandIn;
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  /** Runs the template of an assembly. Tables and queues of the same name are used as they are. */
  deploy(assembly: string): Promise<Deployed>;
  stop(): Promise<void>;
}

const region = "us-east-1";

/** Starts the engines and the union. */
export async function startLastingEngines(): Promise<LastingEngines> {
  const [database, queues, standIn] = await Promise.all([
    startDynamoDb(),
    startSqs(region),
    startStandIn({
      port: 0,
      seed: 1,
      clubs: 5,
      accounts: demoAccounts,
      requiresToken: true,
      now: () => new Date(),
    }),
  ]);
  const client = { region, credentials: localCredentials };
  const dynamodb = new DynamoDBClient({ ...client, endpoint: database.address });
  const sqs = new SQSClient({ ...client, endpoint: queues.address });
  return {
    standIn,
    dynamodb,
    sqs,
    async deploy(assembly) {
      const machine = await startOneMachine({
        assembly,
        port: 0,
        union: standIn.address,
        dynamodb: database.address,
        sqs: queues.address,
        log: () => undefined,
        progress: () => undefined,
      });
      return {
        machine,
        vendor(number) {
          const account = demoVendors[number];
          if (account === undefined) throw new Error(`There is no vendor ${number}.`);
          return vendorOf(machine.run.api, account);
        },
        stop: () => machine.stop(),
      };
    },
    async stop() {
      dynamodb.destroy();
      sqs.destroy();
      await Promise.all([database.stop(), queues.stop(), standIn.stop()]);
    },
  };
}
