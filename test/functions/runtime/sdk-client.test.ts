import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { BatchGetItemCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { expect, test } from "vitest";
import { requestsWithin, sdkClient, unusedMiddleware } from "../../../functions/runtime/sdk-client.ts";

const options = { region: "eu-north-1", credentials: { accessKeyId: "id", secretAccessKey: "key" } };

test.each([DynamoDBClient, SQSClient])("%o has the middleware that is taken out", (Service) => {
  const names = new Service(options).middlewareStack.identify().map((entry) => entry.split(" - ")[0]);
  expect(names).toEqual(expect.arrayContaining(unusedMiddleware));
  const lean = sdkClient<object, SQSClient | DynamoDBClient>(Service, options).middlewareStack.identify();
  expect(lean.filter((entry) => unusedMiddleware.some((name) => entry.startsWith(name)))).toEqual([]);
});

test("requests of a client are signed, each for itself, by one signer", async () => {
  const client = sdkClient(DynamoDBClient, options);
  const signatures: unknown[] = [];
  client.middlewareStack.add(
    () => async (args) => {
      signatures.push((args.request as { headers: Record<string, string> }).headers.authorization);
      throw new Error("sent");
    },
    { step: "finalizeRequest", priority: "low" },
  );
  for (const id of ["1", "2"]) {
    const RequestItems = { cards: { Keys: [{ id: { S: id } }] } };
    await expect(client.send(new BatchGetItemCommand({ RequestItems }))).rejects.toThrow("sent");
  }
  expect(signatures).toEqual([
    expect.stringContaining("Credential=id/"),
    expect.stringContaining("Credential=id/"),
  ]);
  expect(signatures[0]).not.toBe(signatures[1]);
});

test("a request that must not use up the time of others fails once its time is over", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const client = sdkClient(SQSClient, { ...options, endpoint, maxAttempts: 1, ...requestsWithin(20) });
  const request = new ReceiveMessageCommand({ QueueUrl: `${endpoint}/queue` });
  await expect(client.send(request)).rejects.toMatchObject({ name: "TimeoutError" });
  client.destroy();
  silent.closeAllConnections();
  silent.close();
});
