import { LambdaClient, UpdateEventSourceMappingCommand } from "@aws-sdk/client-lambda";
import { PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { LocalRun } from "@scorecard-pipeline/local-aws";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import { createClient } from "@scorecard-pipeline/scorecards-client";
import type { StandIn } from "@scorecard-pipeline/stand-in";
import type { UnionProfile } from "../../unions/union-profile.ts";
import { type SampleCard, sampleTournament } from "../sample/tournament.ts";
import { type DemoAccount, demoVendors } from "./demo-accounts.ts";
import type { IncidentName } from "./incidents.ts";

/** The run, the union and the cards that an incident affects. */
export interface RehearsedPipeline {
  readonly run: LocalRun;
  readonly standIn: StandIn;
  /** Cards that the pipeline accepts, of the first two demo vendors. */
  readonly cards: readonly RehearsalCard[];
}

/** A valid card, and the vendor that submits it. */
export interface RehearsalCard {
  readonly vendor: DemoAccount;
  readonly card: SampleCard["card"];
}

/** The incidents that end when the union is repaired. The others are the operator's own to end. */
export const unionsIncidents: ReadonlySet<IncidentName> = new Set([
  "exchange-down",
  "exchange-slow",
  "poison-card",
]);

/** The valid cards of the sample tournament. @param run makes their ExternalIDs unique */
export function rehearsalCards(
  standIn: StandIn,
  { timeZone, country }: Pick<UnionProfile, "timeZone" | "country">,
  run: string,
  now: Date,
): RehearsalCard[] {
  const { clubs, courses, members } = standIn;
  return sampleTournament({ clubs, courses, members, seed: 2026, run, now, timeZone, country }).flatMap(
    ({ vendor, cards }) =>
      cards
        .filter(({ expected }) => expected.kind === "delivered")
        .map(({ card }) => ({ vendor: demoVendors[vendor] as DemoAccount, card })),
  );
}

/** The card that an incident happens to; undefined if it happens to all. */
export function incidentCard(name: IncidentName, cards: readonly RehearsalCard[]): RehearsalCard | undefined {
  if (name === "poison-card") return cards[0];
  return name === "dead-letters" ? cards.at(-1) : undefined;
}

/** Submits one card, as its vendor does. */
export async function submitOne(api: string, { vendor, card }: RehearsalCard): Promise<void> {
  await createClient({ api, ...vendor, retrySeconds: 10 }).submit([JSON.stringify(card)]);
}

const clientOptions = ({ region }: LocalRun, endpoint: string) => ({
  endpoint,
  region,
  credentials: localCredentials,
});

/** Replaces a secret by credentials that the union refuses. */
async function spoilSecret(run: LocalRun, name: string): Promise<void> {
  const secrets = new SecretsManagerClient(clientOptions(run, run.secretsManager));
  const wrong = { username: "nobody", password: "expired", apiSet: "nobody", token: "" };
  await secrets.send(
    new PutSecretValueCommand({
      SecretId: `scorecards/test/${name}`,
      SecretString: JSON.stringify(wrong),
    }),
  );
  secrets.destroy();
}

/** Moves the message of a card to the dead letters, as the queue does after an hour of crashes. */
async function setOneAside({ run, cards }: RehearsedPipeline): Promise<void> {
  const lambda = new LambdaClient(clientOptions(run, run.lambda));
  const sqs = new SQSClient(clientOptions(run, run.sqs));
  const { DeliveryEventSourceId: UUID, DeliveryQueueUrl: QueueUrl, DeadLetterQueueUrl } = run.outputs;
  const deliver = (Enabled: boolean) => lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
  await deliver(false);
  const card = incidentCard("dead-letters", cards);
  if (card !== undefined) await submitOne(run.api, card);
  // A poll that was under way gives the message back first.
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
  for (const { Body: MessageBody, ReceiptHandle } of Messages) {
    await sqs.send(new SendMessageCommand({ QueueUrl: DeadLetterQueueUrl, MessageBody }));
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
  await deliver(true);
  lambda.destroy();
  sqs.destroy();
}

/** The functions that begin each incident. */
const incidents: Readonly<Record<IncidentName, (pipeline: RehearsedPipeline) => unknown>> = {
  "exchange-down": ({ standIn }) => Object.assign(standIn.faults, { outage: true }),
  "exchange-slow": ({ standIn }) => Object.assign(standIn.faults, { lateShare: 1, lateMilliseconds: 15_000 }),
  "poison-card": ({ standIn, cards }) => {
    const { ExternalID = "" } = incidentCard("poison-card", cards)?.card ?? {};
    Object.assign(standIn.faults, { poison: { [ExternalID]: 500 } });
  },
  "credentials-refused": ({ run }) => spoilSecret(run, `vendor/${demoVendors[1]?.apiSet}`),
  "mirror-stale": async ({ run }) => {
    await spoilSecret(run, "mirror");
    // An environment that has read the secret keeps it for five minutes.
    run.killEnvironment("mirror-courses");
  },
  "dead-letters": setOneAside,
};

/** Begins an incident. */
export async function beginIncident(name: IncidentName, pipeline: RehearsedPipeline): Promise<void> {
  await incidents[name](pipeline);
}
