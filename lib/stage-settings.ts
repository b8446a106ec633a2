import * as z from "zod";
import { unionProfileSchema } from "../unions/union-profile.ts";
import { awsLimits } from "./aws-facts.ts";
import type { StageTiming } from "./stage-timing.ts";

/** The stages, as the union has them: the path of an API ends in its stage's name. */
export const stages = ["test", "production"] as const;

/** One of the two environments. */
export type Stage = (typeof stages)[number];

/** Name of a stage's stack. Under another name CloudFormation would make a new stack, with empty tables. */
export const stackName = (stage: Stage) => `scorecard-pipeline-${stage}`;

/** Name of the parameter whose value is the deployed commit; its history has those before. */
export const commitParameter = (stage: Stage) => `/scorecards/${stage}/commit`;

/** Alias of the stage's key, which also encrypts the vendors' secrets that no template makes. */
export const dataKeyAlias = (stage: Stage) => `alias/scorecards-${stage}`;

const requestsPerSecond = z.int().min(1).max(10_000);
const usagePlan = z.strictObject({
  ratePerSecond: requestsPerSecond,
  requestsPerDay: z.int().min(1),
  /** Cards that are submitted or validated, good or bad. */
  cardsPerDay: z.int().min(1),
});

const timeOfDay = z.strictObject({ hour: z.int().min(0).max(23), minute: z.int().min(0).max(59) });

/** The tables, as the setting `tableGeneration` names them. */
const tables = ["cards", "activity", "accounts", "webhooks", "courses", "clubs"] as const;

/** Everything that may differ between two stages. Synthesis checks each setting and names the wrong ones. */
export const stageSettingsSchema = z.strictObject({
  stage: z.enum(stages),

  /** The union that the stage serves: one of unions/, and its base address. */
  union: unionProfileSchema.extend({ baseAddress: z.url({ protocol: /^https?$/ }) }),

  /** Whom users of the portal call or write to: a name, a mail address, a telephone number. */
  operatorContact: z.string().min(1),

  /** A name of the operator's own for the API, with its certificate in the stack's region. */
  domain: z
    .strictObject({
      name: z.string().regex(/^([a-z0-9-]+\.)+[a-z]{2,}$/, "a host name in lower case, without https://"),
      certificateArn: z
        .string()
        .regex(/^arn:aws:acm:/, "the ARN of a certificate in AWS Certificate Manager"),
    })
    .optional(),

  /** A web application firewall that blocks IP addresses with more requests. */
  firewall: z
    .strictObject({ requestsInFiveMinutes: z.int().min(awsLimits.firewallRequests).max(2_000_000_000) })
    .optional(),

  /** Origins, e.g. https://scores.example, whose pages may use the API; empty if no browser does. */
  allowedOrigins: z.array(z.string().regex(/^https?:\/\/[a-z0-9.-]+(:\d+)?$/, "scheme, host and port only")),

  /**
   * With 1000, functions reserve runs for themselves, so that a slow union or slow endpoints of vendors cannot use up the account's
   * concurrency; two stages fit. In a smaller account none does: AWS keeps the last runs of an account for functions without reservation.
   */
  accountConcurrency: z.union([z.literal(1000), z.literal("small")]),

  /**
   * How new code of the functions in lib/rollout.ts takes over: `allAtOnce`, or `canary`: a tenth of the invocations for ten minutes, and all of
   * them after that unless an alarm rings.
   */
  rollout: z.enum(["allAtOnce", "canary"]),

  /** Limit for all vendors together. API Gateway counts each method and each spelling of a path separately. */
  requestsPerSecond,

  /** Limits of each vendor, by the usage plan of its account. */
  usagePlans: z.strictObject({ standard: usagePlan, tournament: usagePlan }),

  /** Tags of the stack, which CloudFormation gives to its resources, e.g. to tell costs apart. */
  tags: z.record(z.string().min(1).max(128), z.string().max(256)),
  /**
   * Qualifier of the `cdk bootstrap` whose roles deploy the stage; the CDK's own if absent. With one for each stage, who may deploy one stage of
   * an account cannot deploy the other.
   */
  bootstrapQualifier: z
    .string()
    .regex(/^[a-z0-9]{1,10}$/, "up to ten lower-case letters and digits")
    .optional(),
  /** Whether tables, queues, secrets and their key outlive the stack, and the stack and its tables are protected from deletion. */
  keepData: z.boolean(),
  /**
   * Raise a table's number to have it made anew, empty, if it was deleted or is damaged: CloudFormation does not make a deleted table again
   * under the same logical ID. The old one stays if `keepData` is set. docs/deploy.md says how its data is restored.
   */
  tableGeneration: z.partialRecord(z.enum(tables), z.int().min(2).max(99)),
  /** How long a card's state can be read after the card was accepted; then DynamoDB removes it. */
  cardRetentionDays: z.int().min(30).max(3650),
  logRetentionDays: z.literal([1, 3, 5, 7, 14, 30, 60, 90, 180, 365]),

  alarms: z.strictObject({
    /** Receives the alarms, after confirming the subscription in the first mail. If absent, nobody does. */
    address: z.email().optional(),
    /** Address of docs/runbook.md; each alarm's text links its own section. */
    runbook: z.url({ protocol: /^https?$/ }),
    /** When the day's cards should be delivered, in the union's time zone: a round counts on the day it is played. Vendors are told then, too. */
    unsentAt: timeOfDay,
  }),

  /** What the AWS account may cost in a month before AWS Budgets mails to `alarms.address`. */
  monthlyBudgetUsDollars: z.number().positive().optional(),

  /**
   * Who is told by mail when a vendor's webhook endpoint fails, is disabled or works again, after confirming the subscription in the
   * first mail; docs/configuration.md. If absent, nobody is.
   */
  endpointMails: z
    .array(
      z.strictObject({
        address: z.email(),
        /** The vendors whose endpoints the address is told of; all if absent. */
        apiSets: z.array(z.string().min(1)).min(1).max(150).optional(),
      }),
    )
    .max(100)
    .optional(),

  /**
   * What the union is asked of the players of delivered cards: whether it knows them (`players`), and with `rounds` each round is compared with those
   * that were delivered before, so that one sent twice gets a warning, too.
   */
  playerCheck: z.enum(["off", "players", "rounds"]),

  /** Whether delivered cards are looked for in the players' records at the union; docs/record-check.md. */
  recordCheck: z.strictObject({
    /** The share of the cards, from 0 for none to 1 for all. */
    share: z.number().min(0).max(1),
    /** Concurrent requests to the union. */
    parallelRequests: z.int().min(1).max(20),
  }),

  delivery: z.strictObject({
    /** `fast` delivers a card that is submitted alone at once; with `cheap` such cards wait up to a second for one another. */
    singles: z.enum(["fast", "cheap"]),
    /** Batches delivered at the same time: the limit on pressure at the exchange. */
    maximumConcurrency: z
      .int()
      .min(awsLimits.minEventSourceConcurrency)
      .max(awsLimits.maxEventSourceConcurrency),
  }),

  mirror: z.strictObject({
    /** Concurrent requests to the union. */
    parallelRequests: z.int().min(1).max(50),
  }),
});

/** The settings of one stage, with times that runs on one machine shorten. */
export type StageSettings = z.infer<typeof stageSettingsSchema> & { readonly timing: StageTiming };
