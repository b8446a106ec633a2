import * as z from "zod";
import { type Stage, stages } from "../../lib/stage-settings.ts";
import type { Credentials } from "./sign-in.ts";

/** The stages that the command works on; `local` is what `npm start` runs. */
export const targetStages = ["local", ...stages] as const;

export type TargetStage = (typeof targetStages)[number];

/** The stack's outputs that the command uses; `lib/pipeline-stack.ts` defines them. */
export const outputsSchema = z.object({
  BaseAddress: z.string(),
  RestApiId: z.string(),
  StandardUsagePlanId: z.string(),
  TournamentUsagePlanId: z.string(),
  ScorecardTableName: z.string(),
  ActivityTableName: z.string(),
  AccountTableName: z.string(),
  CourseTableName: z.string(),
  ClubTableName: z.string(),
  DeliveryQueueUrl: z.string(),
  DeadLetterQueueUrl: z.string(),
  DeliveryEventSourceId: z.string(),
  UnionAddress: z.string(),
  PlayerHashSecretArn: z.string(),
  WebhookTableName: z.string(),
  WebhookQueueUrl: z.string(),
  DeadWebhookQueueUrl: z.string(),
  // A stack that was deployed by an earlier version lacks these.
  DataVersion: z.optional(z.coerce.number()),
  DeployedCommit: z.optional(z.string()),
});

/** Names of the usage plans. */
export const planNames = ["standard", "tournament"] as const;

export type PlanName = (typeof planNames)[number];

/** The stack's output with the id of each plan. */
export const planOutputs = {
  standard: "StandardUsagePlanId",
  tournament: "TournamentUsagePlanId",
} as const satisfies Record<PlanName, keyof z.infer<typeof outputsSchema>>;

/** The AWS services that the command calls. */
type Service = "dynamodb" | "sqs" | "secretsManager" | "lambda" | "apiGateway" | "cloudWatch";

/** Configuration of an SDK client; for AWS itself only the credentials, since the region comes from the environment. */
interface ClientConfiguration {
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | Credentials;
}

/** A running pipeline: its address, its outputs and the configuration of SDK clients. */
export interface Target {
  /** Stage of the stack; `test` for the local run. */
  readonly stage: Stage;
  /** Identifies the pipeline and its data; every local run has its own. */
  readonly id: string;
  /** Where it is, for who is about to change it; undefined for the local run. */
  readonly where: string | undefined;
  /** What was deployed last, and when; undefined for the local run, and for a stack that does not say it. */
  readonly deployed?: { readonly commit: string; readonly at: string } | undefined;
  /** Base address of the API with its stage, without a slash at the end. */
  readonly api: string;
  readonly outputs: z.infer<typeof outputsSchema>;
  /** Accounts with known passwords: the demo accounts of the local run. */
  readonly accounts: readonly {
    readonly username: string;
    readonly password: string;
    readonly apiSet: string;
  }[];
  readonly client: (service: Service) => ClientConfiguration;
}
