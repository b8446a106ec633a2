/** The names of roles that we assume begin with this: the policy of deliver-webhooks allows no others. */
export const roleNamePrefix = "scorecard-events";

/** A queue's URL, as SQS gives it. The host is fixed: requests with a vendor's credentials go nowhere else. */
const queueUrl =
  /^https:\/\/sqs\.([a-z]{2}(?:-[a-z]+)+-\d)\.amazonaws\.com(?:\.cn)?\/(\d{12})\/[\w-]{1,80}?(\.fifo)?$/;
/** The same on the local run. */
const localQueueUrl =
  /^http:\/\/(?:sqs\.[a-z\d-]+\.)?(?:localhost|127\.0\.0\.1):\d+()\/(\d{12})\/[\w-]{1,80}?(\.fifo)?$/;
const roleArn = new RegExp(`^arn:aws[a-z-]*:iam::(\\d{12}):role/${roleNamePrefix}[\\w+=,.@-]{0,48}$`);

/** Pattern of a role's ARN, for JSON Schema. */
export const roleArnPattern: string = roleArn.source;

/** The queue that a URL is of; undefined if it is none. One of the local run has no region: it is in that of the functions. */
export function queueAt(url: string) {
  const [, region, accountId, fifo] = queueUrl.exec(url) ?? localQueueUrl.exec(url) ?? [];
  if (accountId === undefined) return undefined;
  return { region: region || undefined, accountId, isFifo: fifo !== undefined };
}

/**
 * What is wrong with a queue and a role that a vendor gives.
 *
 * @returns a sentence for the vendor's developer; undefined if nothing is wrong
 */
export function queueFault(
  url: string,
  role: string,
  { allowLoopback }: { readonly allowLoopback: boolean },
): string | undefined {
  const queue = queueAt(url);
  if (queue === undefined || (queue.region === undefined && !allowLoopback)) {
    return "With roleArn, url is that of an SQS queue, such as https://sqs.eu-west-1.amazonaws.com/123456789012/scorecard-events.fifo.";
  }
  const [, accountId] = roleArn.exec(role) ?? [];
  if (accountId === undefined) {
    return `roleArn is not the ARN of a role whose name begins with ${roleNamePrefix}, such as arn:aws:iam::123456789012:role/${roleNamePrefix}.`;
  }
  if (accountId === queue.accountId) return undefined;
  return "The role and the queue are in different AWS accounts. Take a role of the queue's account.";
}
