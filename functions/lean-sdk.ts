import type { DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";

type SdkLogger = NonNullable<DynamoDBClientConfig["logger"]>;

const silent = () => undefined;

/** What every client of AWS is created with, so that a request costs no more than it must. */
export const leanSdk = {
  /**
   * The SDK hands each request and each answer to `info`, where its logger has one, as a copy made field by field; its
   * own logger has one, which drops them. This one has none. And no card can come into a log by it.
   */
  logger: { trace: silent, debug: silent, warn: silent, error: silent } as unknown as SdkLogger,
  /** What a request goes through is put together once for each kind of request, but for those that may be cut off. */
  cacheMiddleware: true,
};
