import type { DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";

type SdkLogger = NonNullable<DynamoDBClientConfig["logger"]>;

const silent = () => undefined;

/** What every client of AWS is created with, so that a request costs no more than it must. */
export const sdkConfig = {
  /**
   * The SDK copies each request and each answer, field by field, for its logger's `info`. Its own logger has one, which
   * drops the copy; this one has none, so that nothing is copied, and no card can get into a log.
   */
  logger: { trace: silent, debug: silent, warn: silent, error: silent } as unknown as SdkLogger,
  /** The steps of a request are put together once for each kind of request, except where one may be aborted. */
  cacheMiddleware: true,
};
