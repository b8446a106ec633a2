/**
 * AWS's list prices of us-east-1 in November 2025, in USD, without free tiers and the discounts of large volumes. Put your region's here.
 * Those of queues are of March 2026, from an article (cloudburn.io) and not from AWS's page.
 */
export const listPrices = {
  /** A request to a REST API. */
  apiRequest: 3.5e-6,
  lambdaRequest: 0.2e-6,
  /** On ARM. */
  gigabyteSecond: 0.0000133334,
  /** DynamoDB on demand. */
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  /** To a standard queue, of up to 64 KB. */
  sqsRequest: 0.4e-6,
  /** More for a request about messages with a group. */
  fairQueueRequest: 0.1e-6,
  /** CloudWatch Logs, taken in. */
  logGigabyte: 0.5,
  /** Out of AWS to the internet. */
  outgoingGigabyte: 0.09,
  /** AWS WAF, a month: the web ACL with its one rule. */
  firewallMonth: 6,
  firewallRequest: 0.6e-6,
} as const;

/** AWS's limits, from its developer guides of SQS, Lambda and WAF. */
export const awsLimits = {
  /** Days that SQS keeps a message at most. */
  messageRetentionDays: 14,
  /** Messages of a batch that an event source may hand over without a window. */
  batchSizeWithoutWindow: 10,
  /** Invocations at the same time that an event source may be limited to. */
  minEventSourceConcurrency: 2,
  maxEventSourceConcurrency: 1_000,
  /** Runs of an account that no function can reserve. A new account has ten in all, and AWS keeps those. */
  unreservedRuns: 100,
  /** Seconds after which every service knows a new role; until then it is refused. */
  roleSeconds: 10,
  /** Seconds after which `aws dynamodb wait table-exists` gives up: 25 looks, 20 seconds apart. AWS CLI reference. */
  tableWaitSeconds: 500,
  /** Metrics that an alarm on an expression may watch; CloudWatch user guide, quotas. */
  alarmMetrics: 10,
  /** Requests in five minutes from which on AWS WAF can block an address. */
  firewallRequests: 10,
} as const;

/** Facts of others that age, too, each with its source; read on 30 November 2026. */
export const datedFacts = {
  /** The functions' Node, and when it gets no more security updates. github.com/nodejs/Release, schedule. */
  node: { major: 24, endOfLife: "2028-04-30" },
  /** Tokens of repositories made or renamed since then name OWNER@ID/REPOSITORY@ID. GitHub's changelog of 23 April 2026. */
  githubSubjectsWithIds: "2026-07-15",
} as const;
