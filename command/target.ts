import * as z from "zod";
import { type Stage, stages } from "../lib/stage.ts";

/** The stages that the command works on; `local` is what `npm start` runs. */
export const targetStages = ["local", ...stages] as const;

/** One of them. */
export type TargetStage = (typeof targetStages)[number];

/** What a stack gives out about itself, as `lib/pipeline-stack.ts` names it. */
export const outputsSchema = z.object({
  BaseAddress: z.string(),
  RestApiId: z.string(),
  StandardUsagePlanId: z.string(),
  TournamentUsagePlanId: z.string(),
  ScorecardTableName: z.string(),
  AccountTableName: z.string(),
  DeliveryQueueUrl: z.string(),
  DeadLetterQueueUrl: z.string(),
  DeliveryEventSourceId: z.string(),
});

/** How much a vendor may ask for. */
export const planNames = ["standard", "tournament"] as const;

/** One of the usage plans. */
export type PlanName = (typeof planNames)[number];

/** Where the stack says the id of each plan. */
export const planOutputs = {
  standard: "StandardUsagePlanId",
  tournament: "TournamentUsagePlanId",
} as const satisfies Record<PlanName, keyof z.infer<typeof outputsSchema>>;

/** AWS's services that the command talks to. */
export type Service = "dynamodb" | "sqs" | "secretsManager" | "lambda" | "apiGateway";

/** How the SDK's clients reach a service; empty for AWS itself, as the operator's environment says. */
export interface ClientConfiguration {
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** A pipeline that runs somewhere, with all that is needed to work on it. */
export interface Target {
  /** The stage of the stack: the local run is one of `test`. */
  readonly stage: Stage;
  /** Names this pipeline and its data; every local run has another one, with tables of its own. */
  readonly id: string;
  /** Base address of the API with its stage, without a slash at its end. */
  readonly api: string;
  readonly outputs: z.infer<typeof outputsSchema>;
  /** Accounts whose passwords need not be given: those of the local run. */
  readonly accounts: readonly {
    readonly username: string;
    readonly password: string;
    readonly apiSet: string;
  }[];
  readonly client: (service: Service) => ClientConfiguration;
}
