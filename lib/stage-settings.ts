import * as z from "zod";
import { unionProfileSchema } from "../unions/union-profile.ts";
import { awsLimits } from "./aws-facts.ts";

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

const throttling = z.strictObject({ ratePerSecond: z.int().min(1), burst: z.int().min(1) });
const usagePlan = throttling.extend({ requestsPerDay: z.int().min(1) });

const seconds = (least: number, most: number) => z.int().min(least).max(most);
const timeOfDay = z.strictObject({ hour: z.int().min(0).max(23), minute: z.int().min(0).max(59) });

const generation = z.int().min(1).max(99);

/** Null reserves nothing, in an account that has little. */
const reserved = z.int().min(1).max(900).nullable();

/** Everything that may differ between two stages. Synthesis checks each setting and names the wrong ones. */
export const stageSettingsSchema = z.strictObject({
  stage: z.enum(stages),

  /** The union that the stage serves: one of unions/, and its base address. */
  union: unionProfileSchema.extend({ baseAddress: z.url({ protocol: /^https?$/ }) }),

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

  /** How long the union may take to look a member up; API Gateway itself waits 29 seconds. */
  memberTimeoutSeconds: seconds(1, 20),

  /**
   * Runs at the same time that functions have for themselves, and no more than these: so a slow union or slow endpoints of vendors
   * cannot use up the account's concurrency. All stages of an account together leave it 100 at least.
   */
  reservedConcurrency: z.strictObject({
    authorize: reserved,
    submitScorecards: reserved,
    deliverScorecards: reserved,
    readMembers: reserved,
    manageWebhooks: reserved,
    deliverWebhooks: reserved,
  }),

  /**
   * How new code of the functions in lib/rollout.ts takes over: `allAtOnce`, or `canary`: a tenth of the invocations for ten minutes, and all of
   * them after that unless an alarm rings.
   */
  rollout: z.enum(["allAtOnce", "canary"]),

  /** Limit for all vendors together. API Gateway counts each method and each spelling of a path separately. */
  throttling,

  /** Limits of each vendor, by the usage plan of its account. */
  usagePlans: z.strictObject({ standard: usagePlan, tournament: usagePlan }),

  /** Limit of the login page for everybody together, against guessing passwords. */
  loginThrottling: throttling,

  /** Limit of signing in to the portal for everybody together. Each address has one of its own, in core/accounts/sign-in-limit.ts. */
  signInThrottling: throttling,

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
  tableGeneration: z.strictObject({
    cards: generation,
    activity: generation,
    accounts: generation,
    webhooks: generation,
    courses: generation,
    clubs: generation,
  }),
  /** How long a card's state can be read after the card was accepted; then DynamoDB removes it. */
  cardRetentionDays: z.int().min(30).max(3650),
  logRetentionDays: z.literal([1, 3, 5, 7, 14, 30, 60, 90, 180, 365]),
  /** Lowest level that is logged. Metrics are written at every level. */
  logLevel: z.enum(["DEBUG", "INFO", "WARN", "ERROR"]),

  alarms: z.strictObject({
    /** Receives the alarms, after confirming the subscription in the first mail. If absent, nobody does. */
    address: z.email().optional(),
    /** Address of docs/runbook.md; each alarm's text links its own section. */
    runbook: z.url({ protocol: /^https?$/ }),
    /** Longest that a card may wait for its delivery. */
    oldestCardSeconds: seconds(1, 86_400),
    /** Oldest that the mirror of any club may be. */
    mirrorAgeSeconds: seconds(1, 7 * 86_400),
    /** When the day's cards should be delivered, in the union's time zone: a round counts on the day it is played. */
    unsentAt: timeOfDay,
  }),

  /** What the AWS account may cost in a month before AWS Budgets mails to the address. */
  monthlyBudget: z.strictObject({ usDollars: z.number().positive(), address: z.email() }).optional(),

  /** When vendors with waiting cards are told before midnight, in the union's time zone: `scorecards.unsent` in docs/webhooks.md. */
  unsentNoticeAt: timeOfDay,

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

  /** Whether each outcome is published on an event bus; docs/events.md. */
  outcomeEvents: z.boolean(),

  /** Whether the union is asked for the players of delivered cards, so that a card gets a warning if it does not know one. */
  playerCheck: z.enum(["off", "warn"]),

  /** Whether that check also compares rounds with those delivered before, so that one sent twice gets a warning. */
  roundCheck: z.enum(["off", "warn"]),

  /** Whether delivered cards are looked for in the players' records at the union; docs/record-check.md. */
  recordCheck: z.strictObject({
    /** The share of the cards, from 0 for none to 1 for all. */
    share: z.number().min(0).max(1),
    everyMinutes: z.int().min(1).max(1440),
    /** How long after its delivery a card is looked for the first time, and the last time. */
    firstAfterSeconds: seconds(1, 86_400),
    lastAfterSeconds: seconds(1, 14 * 86_400),
    /** Concurrent requests to the union. */
    parallelRequests: z.int().min(1).max(20),
    timeoutSeconds: seconds(60, 900),
  }),

  delivery: z.strictObject({
    /** Messages in one batch, and how long Lambda may collect them. */
    batchSize: z.int().min(1).max(awsLimits.batchSize),
    batchWindowSeconds: seconds(0, 300),
    /** Cards in one post to the exchange. */
    postSize: z.int().min(1).max(100),
    /** Vendors that one execution environment posts for at the same time. */
    parallelPosts: z.int().min(1).max(20),
    postTimeoutSeconds: seconds(1, 25),
    /** Age at which a card that fails once more is given up. */
    giveUpAfterSeconds: seconds(60, 30 * 86_400),
    /** Batches delivered at the same time: the limit on pressure at the exchange. */
    maximumConcurrency: z
      .int()
      .min(awsLimits.minEventSourceConcurrency)
      .max(awsLimits.maxEventSourceConcurrency),
    timeoutSeconds: seconds(5, 900),
    /** How long the messages of a crashed run stay invisible. */
    visibilityTimeoutSeconds: seconds(5, 43_200),
  }),

  mirror: z.strictObject({
    everyMinutes: z.int().min(1).max(1440),
    /** Time of day of the nightly full sync, in the union's time zone. */
    fullSyncAt: timeOfDay,
    /** Concurrent requests to the union. */
    parallelRequests: z.int().min(1).max(50),
    /** How far before a club's last successful sync `changedsince` begins, because clocks may differ. */
    overlapSeconds: seconds(0, 86_400),
    timeoutSeconds: seconds(60, 900),
  }),
});

/** The settings of one stage. */
export type StageSettings = z.infer<typeof stageSettingsSchema>;
