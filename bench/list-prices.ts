/**
 * USD: AWS's list prices in us-east-1, November 2025, without free tiers and without the discounts of large volumes.
 * Put your region's here.
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
  /** CloudWatch Logs, taken in. */
  logGigabyte: 0.5,
  /** Out of AWS to the internet. */
  outgoingGigabyte: 0.09,
} as const;
