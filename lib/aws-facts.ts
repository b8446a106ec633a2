/** A price, limit or default of AWS that code, models or pages rely on. */
interface AwsFact {
  readonly value: number;
  /** Where it was read. */
  readonly source: string;
  /** The month in which it was read last, as 2025-11. */
  readonly seen: string;
}

const fact = <Value extends number>(value: Value, source: string, seen: string) => ({ value, source, seen });
const pricePage = (service: string) => `https://aws.amazon.com/${service}/pricing/`;
const guide = (page: string) => `https://docs.aws.amazon.com/${page}.html`;
const november = "2025-11";

/**
 * USD: list prices of us-east-1, without free tiers and the discounts of large volumes. Put your region's here. Those of November 2025 were
 * not looked up again since; later ones were read in an article, not on AWS's page.
 */
export const listPrices = {
  /** A request to a REST API. */
  apiRequest: fact(3.5e-6, pricePage("api-gateway"), november),
  lambdaRequest: fact(0.2e-6, pricePage("lambda"), november),
  /** On ARM. */
  gigabyteSecond: fact(0.0000133334, pricePage("lambda"), november),
  /** DynamoDB on demand. */
  writeUnit: fact(0.625e-6, pricePage("dynamodb/on-demand"), november),
  readUnit: fact(0.125e-6, pricePage("dynamodb/on-demand"), november),
  /** To a standard queue, of up to 64 KB. */
  sqsRequest: fact(0.4e-6, "https://cloudburn.io/blog/amazon-sqs-pricing", "2026-03"),
  /** More for a request about messages with a group. */
  fairQueueRequest: fact(0.1e-6, "https://cloudburn.io/blog/amazon-sqs-pricing", "2026-03"),
  /** CloudWatch Logs, taken in. */
  logGigabyte: fact(0.5, pricePage("cloudwatch"), november),
  /** Out of AWS to the internet. */
  outgoingGigabyte: fact(0.09, pricePage("ec2/on-demand"), november),
  /** AWS WAF, a month: the web ACL with its one rule. */
  firewallMonth: fact(6, pricePage("waf"), november),
  firewallRequest: fact(0.6e-6, pricePage("waf"), november),
} as const satisfies Record<string, AwsFact>;

const fairQueues =
  "https://docs.amazonaws.cn/en_us/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues-detailed.html";

/** Limits and thresholds. */
export const awsLimits = {
  /** Days that SQS keeps a message at most. */
  messageRetentionDays: fact(
    14,
    guide("AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages"),
    november,
  ),
  /** Messages of a batch that an event source may hand over without a window, and with one. */
  batchSizeWithoutWindow: fact(10, guide("lambda/latest/dg/services-sqs-parameters"), "2026-11"),
  batchSize: fact(10_000, guide("lambda/latest/dg/services-sqs-parameters"), "2026-11"),
  /** Invocations at the same time that an event source may be limited to. */
  minEventSourceConcurrency: fact(2, guide("lambda/latest/dg/services-sqs-scaling"), "2026-11"),
  maxEventSourceConcurrency: fact(1_000, guide("lambda/latest/dg/services-sqs-scaling"), "2026-11"),
  /** A group is noisy with more than this share of the messages in flight, if it has at least so many. Approximate, says AWS. */
  noisyShare: fact(0.1, fairQueues, "2026-11"),
  noisyMessages: fact(30, fairQueues, "2026-11"),
  /** Requests in five minutes from which on AWS WAF can block an address. */
  firewallRequests: fact(10, guide("waf/latest/developerguide/waf-rule-statement-type-rate-based"), november),
} as const satisfies Record<string, AwsFact>;

/** A year, and until the end of the month after to look it up again. */
const maxAgeMonths = 13;

/** The facts that somebody must look up again, with their source. */
export function outdatedFacts(now: Date): string[] {
  return Object.entries({ ...listPrices, ...awsLimits }).flatMap(([name, { source, seen }]) => {
    const [year = 0, month = 0] = seen.split("-").map(Number);
    const ends = Date.UTC(year, month + maxAgeMonths);
    return now.getTime() < ends ? [] : [`${name} was read in ${seen}: ${source}`];
  });
}
