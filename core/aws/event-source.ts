import { GetEventSourceMappingCommand, type LambdaClient } from "@aws-sdk/client-lambda";

/**
 * Since when an event source mapping has invoked its function.
 *
 * @param id its UUID
 * @returns milliseconds since 1970, UTC, 0 if Lambda does not say when it was changed; undefined if it is not enabled
 */
export async function enabledSince(lambda: LambdaClient, id: string): Promise<number | undefined> {
  const { State, LastModified } = await lambda.send(new GetEventSourceMappingCommand({ UUID: id }));
  return State === "Enabled" ? (LastModified?.getTime() ?? 0) : undefined;
}
