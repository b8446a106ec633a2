import type { DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";

type SdkLogger = NonNullable<DynamoDBClientConfig["logger"]>;

const silent = () => undefined;

/**
 * What every client of AWS is created with: a logger that cannot be told of a request.
 *
 * The SDK hands each request and each answer to `info`, where its logger has one, as a copy made field by field; its
 * own logger has one, which drops them. And no card can come into a log by it.
 */
export const quietSdk = {
  logger: { trace: silent, debug: silent, warn: silent, error: silent } as unknown as SdkLogger,
};
