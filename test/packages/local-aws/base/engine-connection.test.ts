import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { startLoopbackServer } from "../../../../packages/local-aws/base/loopback-server.ts";
import { startExecutionEnvironment } from "../../../../packages/local-aws/functions/execution-environment.ts";
import { engineVariables } from "../../../../packages/local-aws/functions/function-type.ts";

/** Requests of AWS's JSON and query protocols, with texts and bytes; the last two fail. */
const code = `
import { DynamoDBClient, PutItemCommand, BatchGetItemCommand } from "@aws-sdk/client-dynamodb";
import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { PublishCommand, SNSClient } from "@aws-sdk/client-sns";
import { ListEventSourceMappingsCommand, LambdaClient } from "@aws-sdk/client-lambda";
const [dynamodb, sqs, sns, lambda] = [DynamoDBClient, SQSClient, SNSClient, LambdaClient].map((Client) => new Client({ maxAttempts: 1 }));
const Item = { id: { S: "é – ☃" }, bytes: { B: new Uint8Array([0, 128, 255]) } };
const outcome = async (sending) => {
  try { const { $metadata, ...answer } = await sending; return { answer, status: $metadata.httpStatusCode }; }
  catch ({ name, message, $metadata }) { return { name, message, status: $metadata?.httpStatusCode }; }
};
export const handler = async () => [
  await outcome(dynamodb.send(new PutItemCommand({ TableName: "things", Item }))),
  await outcome(sqs.send(new SendMessageBatchCommand({ QueueUrl: process.env.QUEUE, Entries: [{ Id: "1", MessageBody: "ø" }] }))),
  await outcome(lambda.send(new ListEventSourceMappingsCommand({ FunctionName: "a b" }))),
  await outcome(sns.send(new PublishCommand({ TopicArn: "arn", Message: "a&b" }))),
  await outcome(dynamodb.send(new BatchGetItemCommand({ RequestItems: {} }))),
];`;

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "requests-"));
  const own = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";
  await build({
    stdin: { contents: code, resolveDir: process.cwd() },
    outfile: join(folder, "index.mjs"),
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    mainFields: ["module", "main"],
    banner: { js: own },
  });
});

/** Each differs from one request to the next, or is Node's own. */
const varying = ["amz-sdk-invocation-id", "x-amz-date", "connection"];

/** An engine that keeps what it gets. */
async function startRecorder() {
  const received: object[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    const headers = Object.entries(request.headers).filter(([name]) => !varying.includes(name));
    const plain = headers.map(([name, value]) => [
      name,
      String(value).replace(/Credential=.*?aws4|Signature=.*/g, ""),
    ]);
    const body = await text(request);
    received.push({
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(plain.toSorted()),
      body,
    });
    const isQuery = body.startsWith("Action");
    const refused = { __type: "ResourceNotFoundException", message: "no such thing: ☃" };
    if (isQuery) response.writeHead(400, { "Content-Type": "text/xml" }).end("<ErrorResponse/>");
    else if (body.includes("RequestItems")) response.writeHead(400).end(JSON.stringify(refused));
    else
      response
        .writeHead(200, { "X-Amzn-RequestId": "1" })
        .end(Buffer.from('{"Attributes":{"name":{"S":"ø"}}}'));
  });
  onTestFinished(() => server.stop());
  return { address: server.address, received };
}

/** What the function makes of the answers of an engine at an address. */
async function outcomesOf(address: string, isAlone: boolean) {
  const environment = startExecutionEnvironment(
    {
      runtime: {
        code: folder,
        handler: "index.handler",
        functionName: "f",
        functionArn: "",
        memoryMegabytes: 512,
      },
      variables: {
        ...engineVariables({ DYNAMODB: address, SQS: address, SNS: address, LAMBDA: address }),
        AWS_REGION: "eu-north-1",
        AWS_ACCESS_KEY_ID: "local",
        AWS_SECRET_ACCESS_KEY: "local",
        QUEUE: `${address}/1/things`,
      },
      timeoutSeconds: 60,
      log: () => undefined,
    },
    isAlone,
  );
  onTestFinished(() => environment.end());
  return JSON.parse(String(await environment.invoke("{}")));
}

test("an engine gets the same requests through a port as through HTTP, and the function the same answers", async () => {
  const { address, received } = await startRecorder();
  const byPort = await outcomesOf(address, false);
  const requests = received.splice(0);
  expect(await outcomesOf(address, true)).toEqual(byPort);
  expect(requests).toHaveLength(5);
  expect(requests).toEqual(received);
  expect(byPort[0]).toMatchObject({ status: 200, answer: { Attributes: { name: { S: "ø" } } } });
  expect(byPort[4]).toEqual({
    name: "ResourceNotFoundException",
    message: "no such thing: ☃",
    status: 400,
  });
});

/** Connections that a function's requests to a local engine open: none. */
test("a request through a port opens no connection, and one after the engine's end fails", async () => {
  let connections = 0;
  const server = await startLoopbackServer((request, response) => {
    connections += "socket" in request ? 1 : 0;
    response.writeHead(200).end("{}");
  });
  const { host } = new URL(server.address);
  const own = mkdtempSync(join(tmpdir(), "port-"));
  writeFileSync(
    join(own, "index.mjs"),
    `import { request } from "node:http";
     const [hostname, port] = ${JSON.stringify(host.split(":"))};
     export const handler = () => new Promise((resolve) =>
       request({ hostname, port, method: "POST", path: "/" }, (response) => resolve(response.statusCode))
         .on("error", ({ code }) => resolve(code)).end("{}"));`,
  );
  const environment = startExecutionEnvironment({
    runtime: {
      code: own,
      handler: "index.handler",
      functionName: "f",
      functionArn: "",
      memoryMegabytes: 512,
    },
    variables: engineVariables({ DYNAMODB: server.address }),
    timeoutSeconds: 60,
    log: () => undefined,
  });
  onTestFinished(() => environment.end());
  expect(await environment.invoke("{}")).toBe("200");
  expect(connections).toBe(0);
  await server.stop();
  await expect.poll(() => environment.invoke("{}")).toBe('"ECONNREFUSED"');
});
