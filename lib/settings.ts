import * as z from "zod";
import { timingFaults } from "../core/delivery/timing.ts";
import { type Stage, stages } from "./stage.ts";

/** What the account of one vendor may ask for. */
const usagePlan = z.strictObject({
  ratePerSecond: z.int().min(1),
  burst: z.int().min(1),
  requestsPerDay: z.int().min(1),
});

const seconds = (least: number, most: number) => z.int().min(least).max(most);
const timeOfDay = z.strictObject({ hour: z.int().min(0).max(23), minute: z.int().min(0).max(59) });

/** Everything that may differ between two stages. Each is checked at synthesis, by its name. */
export const stageSettingsSchema = z.strictObject({
  stage: z.enum(stages),

  /** The union's base address and the exchange's path below the API set; see the union's own document. */
  unionBaseAddress: z.url({ protocol: /^https?$/ }),
  exchangePath: z.string().regex(/^[^/].*[^/]$/, "no slash at either end"),
  /** IANA name of the zone in which the union's courses and rounds are dated. */
  timeZone: z
    .string()
    .refine((zone) => Intl.supportedValuesOf("timeZone").includes(zone), "an IANA time zone"),

  /** Origins, e.g. https://scores.example, whose pages may use the API; none where browsers have no business here. */
  allowedOrigins: z.array(
    z.string().regex(/^https?:\/\/[a-z0-9.-]+(:\d+)?$/, "scheme, host and port, and no more"),
  ),

  /** How long the union may take to look a member up; API Gateway itself waits 29 seconds. */
  memberTimeoutSeconds: seconds(1, 20),

  /**
   * Requests a second, and at once, that the API takes of all vendors together: of each method of each path by itself, as
   * API Gateway counts them, and of each spelling of a path.
   */
  throttling: z.strictObject({ ratePerSecond: z.int().min(1), burst: z.int().min(1) }),

  /** What each vendor may ask for, by the plan of its account. */
  usagePlans: z.strictObject({ standard: usagePlan, tournament: usagePlan }),

  /** Passwords a second, and at once, that the login page takes of everybody together: against guessing. */
  loginThrottling: z.strictObject({ ratePerSecond: z.int().min(1), burst: z.int().min(1) }),

  /** Whether tables, queues, secrets and their key outlive the stack, and tables are protected from deletion. */
  keepData: z.boolean(),
  /** How long a card can be asked for after it was accepted; then DynamoDB removes it. */
  cardRetentionDays: z.int().min(30).max(3650),
  logRetentionDays: z.literal([1, 3, 5, 7, 14, 30, 60, 90, 180, 365]),
  /** The least that is logged. Metrics are lines of their own, which are written at every level. */
  logLevel: z.enum(["DEBUG", "INFO", "WARN", "ERROR"]),

  alarms: z.strictObject({
    /** Who is woken: confirms the subscription by a click in the first mail. Nobody where absent. */
    address: z.email().optional(),
    /** Where docs/runbook.md is read; each alarm's text links its own section. */
    runbook: z.url({ protocol: /^https?$/ }),
    /** The oldest card may wait so long for its delivery. */
    oldestCardSeconds: seconds(1, 86_400),
    /** The club mirrored longest ago may be so old. */
    mirrorAgeSeconds: seconds(1, 7 * 86_400),
    /** Time of day in the union's time zone by which the day's cards should be delivered: rounds count on their day. */
    unsentAt: timeOfDay,
  }),

  /** Whether each outcome is published on a bus, for rules of the operator's own; docs/events.md. */
  outcomeEvents: z.boolean(),

  delivery: z.strictObject({
    /** Messages handed over in one batch, and how long a batch may gather. */
    batchSize: z.int().min(1).max(10_000),
    batchWindowSeconds: seconds(0, 300),
    /** Cards in one post to the exchange. */
    postSize: z.int().min(1).max(100),
    /** Vendors posted for at the same time by one execution environment. */
    parallelPosts: z.int().min(1).max(20),
    postTimeoutSeconds: seconds(1, 25),
    /** A card that fails once more is given up so long after it was accepted. */
    giveUpAfterSeconds: seconds(60, 30 * 86_400),
    /** Batches delivered at the same time: the limit on pressure at the exchange. */
    maximumConcurrency: z.int().min(2).max(1000),
    timeoutSeconds: seconds(5, 900),
    /** How long the messages of a run that died stay out of sight. */
    visibilityTimeoutSeconds: seconds(5, 43_200),
  }),

  mirror: z.strictObject({
    everyMinutes: z.int().min(1).max(1440),
    /** Time of day of the nightly full pass, in the union's time zone. */
    fullPassAt: timeOfDay,
    /** Requests to the union at the same time. */
    parallelRequests: z.int().min(1).max(50),
    /** How far before its last good pass a club is asked from, against clocks that differ. */
    overlapSeconds: seconds(0, 86_400),
    timeoutSeconds: seconds(60, 900),
  }),
});

/** The settings of one stage. */
export type StageSettings = z.infer<typeof stageSettingsSchema>;

/**
 * Checks the settings of a stage.
 *
 * @throws Error that names each setting that is wrong, and how
 */
export function checkSettings(settings: StageSettings): StageSettings {
  const checked = stageSettingsSchema.safeParse(settings);
  const faults =
    checked.error?.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": ")) ??
    [];
  faults.push(...timingFaults(settings.delivery));
  if (settings.delivery.batchSize > 10 && settings.delivery.batchWindowSeconds < 1) {
    faults.push("delivery.batchWindowSeconds: must be at least 1 where batchSize is over 10");
  }
  if (faults.length > 0) throw new Error(`Settings of stage ${settings.stage}:\n${faults.join("\n")}`);
  return settings;
}

const placeholder = (setting: string, doesWhat: string) =>
  `${setting}: ${doesWhat}. Set it for production in lib/settings.ts, or look at the stack with -c allow-placeholders.`;

/** What an operator must set before a production stack is made, a sentence each; nothing if all of it is set. */
export function placeholderFaults({ unionBaseAddress, alarms }: StageSettings): string[] {
  const faults: string[] = [];
  if (isPlaceholder(unionBaseAddress)) {
    faults.push(
      placeholder("unionBaseAddress", `${unionBaseAddress} is a placeholder for the union's base address`),
    );
  }
  if (isPlaceholder(alarms.runbook)) {
    faults.push(
      placeholder("alarms.runbook", `${alarms.runbook} is a placeholder for your copy of docs/runbook.md`),
    );
  }
  if (alarms.address === undefined) {
    faults.push(placeholder("alarms.address", "nobody is told when an alarm rings"));
  }
  return faults;
}

/** Names below .example belong to nobody. @see RFC 2606, 2 */
const isPlaceholder = (address: string) => new URL(address).hostname.endsWith(".example");

const delivery: StageSettings["delivery"] = {
  // Cards that are submitted singly have a message each: as many as this fill one post. Of cards that come by hundreds a message
  // names 50, and the fewer messages a run has, the more runs share a backlog.
  batchSize: 50,
  batchWindowSeconds: 1,
  postSize: 50,
  parallelPosts: 4,
  postTimeoutSeconds: 10,
  giveUpAfterSeconds: 2 * 86_400,
  maximumConcurrency: 5,
  timeoutSeconds: 30,
  // AWS advises six times the function's timeout, for functions that are throttled. This one is not, thanks to the
  // event source's own maximum concurrency; so what a run leaves behind when it dies comes back sooner.
  visibilityTimeoutSeconds: 60,
};

/** A request may carry 1,000 cards; what vendors ask for most is what became of them. */
const usagePlans: StageSettings["usagePlans"] = {
  standard: { ratePerSecond: 20, burst: 40, requestsPerDay: 200_000 },
  tournament: { ratePerSecond: 500, burst: 1000, requestsPerDay: 5_000_000 },
};

const mirror: StageSettings["mirror"] = {
  everyMinutes: 15,
  fullPassAt: { hour: 3, minute: 30 },
  parallelRequests: 4,
  overlapSeconds: 600,
  timeoutSeconds: 600,
};

const alarms: StageSettings["alarms"] = {
  runbook: "https://scorecards.example/docs/runbook.md",
  oldestCardSeconds: 3600,
  mirrorAgeSeconds: 3 * 3600,
  unsentAt: { hour: 22, minute: 30 },
};

/** The stages as they are deployed. The union's addresses are placeholders until an operator sets them. */
export const settings: Record<Stage, StageSettings> = {
  test: {
    stage: "test",
    unionBaseAddress: "https://test.union.example/api",
    exchangePath: "Clubs/Members/ExchangedScorecards",
    timeZone: "Europe/Copenhagen",
    allowedOrigins: [],
    memberTimeoutSeconds: 15,
    throttling: { ratePerSecond: 100, burst: 200 },
    usagePlans,
    loginThrottling: { ratePerSecond: 2, burst: 10 },
    keepData: false,
    cardRetentionDays: 90,
    logRetentionDays: 14,
    logLevel: "INFO",
    alarms,
    outcomeEvents: false,
    delivery,
    mirror,
  },
  production: {
    stage: "production",
    unionBaseAddress: "https://union.example/api",
    exchangePath: "Clubs/Members/ExchangedScorecards",
    timeZone: "Europe/Copenhagen",
    allowedOrigins: [],
    memberTimeoutSeconds: 15,
    throttling: { ratePerSecond: 1000, burst: 2000 },
    usagePlans,
    loginThrottling: { ratePerSecond: 2, burst: 10 },
    keepData: true,
    cardRetentionDays: 800,
    logRetentionDays: 90,
    logLevel: "INFO",
    alarms,
    outcomeEvents: false,
    delivery,
    mirror,
  },
};
