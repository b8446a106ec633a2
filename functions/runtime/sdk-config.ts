import type { DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";

type SdkLogger = NonNullable<DynamoDBClientConfig["logger"]>;

const silent = () => undefined;

/** The options of every AWS client, which make requests cheaper. */
export const sdkConfig = {
  /**
   * The SDK copies each request and response, field by field, for its logger's `info`. This logger has no `info`, so
   * nothing is copied, and no card can get into a log.
   */
  logger: { trace: silent, debug: silent, warn: silent, error: silent } as unknown as SdkLogger,
  /** Builds the middleware once per kind of request instead of per request, except for those with an abort signal. */
  cacheMiddleware: true,
};
