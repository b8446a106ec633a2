import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { availableParallelism } from "node:os";
import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { FunctionError } from "../../../packages/local-aws/functions/function-error.ts";
import { readSchedule } from "../../../packages/local-aws/schedules.ts";
import { restApi, run, type TestRun, type TestStack } from "./cloud-assembly.ts";

let stack: TestRun | undefined;

async function provision(of: TestStack, options: Parameters<typeof run>[1] = {}): Promise<TestRun> {
  stack = await run({ ...of, resources: { ...restApi([]), ...of.resources } }, options);
  return stack;
}

afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

const credentials = { accessKeyId: "x", secretAccessKey: "x" };

describe("a function", () => {
  test("a function sees its own variables, Lambda's and the services' addresses, and nothing else", async () => {
    const { invoke, dynamodb, sqs, secretsManager, lambda } = await provision({
      functions: {
        task: {
          code: `export const handler = async (event, context) => ({
            event, variables: process.env, context, left: context.getRemainingTimeInMillis() });`,
          properties: {
            Timeout: 900,
            MemorySize: 256,
            Environment: {
              Variables: { OWN: { Ref: "Address" }, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "true" },
            },
          },
        },
      },
      sections: { Parameters: { Address: { Type: "String", Default: "http://union" } } },
    });
    const answer = (await invoke("task", { pass: "full" })) as { left: number };
    expect(answer).toMatchObject({
      event: { pass: "full" },
      variables: {
        OWN: "http://union",
        AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "false",
        AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
        AWS_ENDPOINT_URL_LAMBDA: lambda,
        AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager,
        AWS_ENDPOINT_URL_SQS: sqs,
        AWS_LAMBDA_FUNCTION_NAME: "things-test-task",
        AWS_REGION: "eu-north-1",
      },
      context: {
        functionName: "things-test-task",
        invokedFunctionArn: "arn:aws:lambda:eu-north-1:000000000000:function:things-test-task",
        memoryLimitInMB: "256",
      },
    });
    expect(answer).not.toHaveProperty("variables.HOME");
    expect(answer.left).toBeGreaterThan(800_000);
    expect(answer.left).toBeLessThanOrEqual(900_000);
  });

  test("a function is kept warm, and runs concurrently if necessary", async () => {
    const { invoke } = await provision({
      functions: {
        task: {
          code: `let count = 0; export const handler = (wait) =>
            new Promise((resolve) => setTimeout(resolve, wait, ++count));`,
        },
      },
    });
    expect(await invoke("task", 0)).toBe(1);
    expect(await invoke("task", 0)).toBe(2);
    expect(await Promise.all([invoke("task", 100), invoke("task", 100)])).toEqual([3, 1]);
  });

  test("invocations get environments of their own if those that run are busy for long", async () => {
    const together = availableParallelism() + 2;
    const { invoke } = await provision({
      functions: {
        task: {
          code: `const here = new Set(); const channel = new BroadcastChannel("together");
            export const handler = (name) => new Promise((resolve) => {
              const say = () => channel.postMessage(name);
              channel.onmessage = ({ data }) => {
                if (!here.has(data)) say();
                if (here.add(data).size === ${together - 1}) resolve("together");
              };
              say();
            });`,
        },
      },
    });
    const names = Array.from({ length: together }, (_, n) => `invocation ${n}`);
    const answers = await Promise.all(names.map((name) => invoke("task", name)));
    expect(new Set(answers)).toEqual(new Set(["together"]));
  });

  test("a function with one environment throttles callers, but a schedule waits for it", async () => {
    const { api, invoke } = await provision({
      functions: {
        task: {
          code: `const opened = new Promise((resolve) => { new BroadcastChannel("throttled").onmessage = resolve; });
            export const handler = async () => { await opened; return { statusCode: 200, body: "done" }; }`,
          properties: { ReservedConcurrentExecutions: 1 },
        },
      },
      resources: restApi([{ path: "/task", method: "GET", function: "task" }]),
    });
    const invoked = [invoke("task", 1), invoke("task", 2)];
    expect((await fetch(`${api}/task`)).status).toBe(500);
    // The environment may listen a moment later.
    const channel = new BroadcastChannel("throttled");
    const opening = setInterval(() => channel.postMessage("open"), 10);
    onTestFinished(() => {
      clearInterval(opening);
      channel.close();
    });
    expect(await Promise.all(invoked)).toMatchObject([{ body: "done" }, { body: "done" }]);
    expect((await fetch(`${api}/task`)).status).toBe(200);
  });

  test("a function reports how it has failed", async () => {
    const code = `
      export const handler = async (how) => {
        console.log("asked to fail\\nby " + how);
        if (how === "throw") throw new RangeError("too far");
        if (how === "reject later") setTimeout(() => Promise.reject(new Error("nobody heard")));
        if (how === "fill memory") for (const all = [];;) all.push(new Array(100_000).fill(how));
        await new Promise(() => {});
      };`;
    const { invoke, lines, killEnvironment } = await provision({
      functions: {
        task: { code, properties: { Timeout: 20, MemorySize: 128 } },
        hasty: { code, properties: { Timeout: 1 } },
        killed: { code, properties: { Timeout: 20 } },
        broken: { code: "throw new SyntaxError('no module')" },
        missing: { code: "export const other = 1" },
      },
    });
    const failure = async (name: string, how: string): Promise<unknown> => {
      const error = await invoke(name, how).catch((reason: unknown) => reason);
      return error instanceof FunctionError ? error.reported : error;
    };
    expect(await failure("task", "throw")).toMatchObject({
      errorType: "RangeError",
      errorMessage: "too far",
      trace: expect.arrayContaining(["RangeError: too far"]),
    });
    await expect.poll(() => lines.map(({ text }) => text)).toContain("by throw");
    expect(lines).toContainEqual({ function: "task", text: expect.stringContaining("Invoke Error") });
    const [timedOut, rejected, outOfMemory, killed, broken, missing] = await Promise.all([
      failure("hasty", "wait"),
      failure("task", "reject later"),
      failure("task", "fill memory"),
      (async () => {
        const dying = failure("killed", "be killed");
        // A machine with much to do takes its time to start an environment.
        const begun = () => lines.filter(({ text }) => text === "by be killed").length;
        await expect.poll(begun).toBe(1);
        expect(killEnvironment("killed")).toBe(true);
        return dying;
      })(),
      failure("broken", ""),
      failure("missing", ""),
    ]);
    expect(timedOut).toMatchObject({ errorMessage: "Task timed out after 1.00 seconds" });
    expect(killed).toMatchObject({ errorMessage: "Runtime exited with error: signal: killed" });
    expect(rejected).toMatchObject({ errorMessage: "nobody heard" });
    expect(outOfMemory).toMatchObject({ errorType: "Runtime.OutOfMemory" });
    expect(broken).toMatchObject({ errorType: "SyntaxError", errorMessage: "no module" });
    expect(missing).toMatchObject({ errorMessage: "index.handler is undefined or not exported" });
  }, 90_000);

  test("a function that was never invoked has no environment to kill", async () => {
    const { killEnvironment } = await provision({
      functions: { task: { code: "export const handler = async () => 1" } },
    });
    expect(killEnvironment("task")).toBe(false);
  });
});

test("tables are created with their indexes, and the next run on the same engine finds them", async () => {
  const resources = {
    Table1234: {
      Type: "AWS::DynamoDB::Table",
      Properties: {
        KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
        AttributeDefinitions: [
          { AttributeName: "id", AttributeType: "S" },
          { AttributeName: "club", AttributeType: "S" },
        ],
        BillingMode: "PAY_PER_REQUEST",
        GlobalSecondaryIndexes: [
          {
            IndexName: "byClub",
            KeySchema: [{ AttributeName: "club", KeyType: "HASH" }],
            Projection: { ProjectionType: "ALL" },
          },
        ],
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    },
  };
  const first = await provision({ resources, paths: { Table1234: "Courses/CourseTable" } });
  const TableName = first.resource("CourseTable");
  expect(TableName).toBe("things-test-Table1234");
  expect(first.resource("Table1234")).toBe(TableName);
  expect(first.resource("Courses/CourseTable")).toBe(TableName);
  expect(() => first.resource("Table")).toThrow("no resource Table");

  const client = new DynamoDBClient({ endpoint: first.dynamodb, region: first.region, credentials });
  await client.send(new PutItemCommand({ TableName, Item: { id: { S: "1" }, club: { S: "a" } } }));
  const second = await run({ resources: { ...restApi([]), ...resources } }, { dynamodb: first.dynamodb });
  const query = { TableName: second.resource("Table1234"), IndexName: "byClub" };
  const named = {
    KeyConditionExpression: "club = :club",
    ExpressionAttributeValues: { ":club": { S: "a" } },
  };
  const found = await client.send(new QueryCommand({ ...query, ...named }));
  expect(found.Items).toEqual([{ id: { S: "1" }, club: { S: "a" } }]);
  client.destroy();
  await second.stop();
});

test("a connection that breaks off in the middle of a request leaves everything running", async () => {
  const { api, dynamodb, sqs, secretsManager, lambda } = await provision({});
  for (const address of [api, dynamodb, sqs, secretsManager, lambda]) {
    const { hostname, port, pathname } = new URL(address);
    expect(hostname).toBe("127.0.0.1");
    const socket = connect(Number(port), hostname);
    const head = `POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-amz-json-1.0\r\n`;
    socket.write(`${head}Content-Length: 1000\r\n\r\n{`, () => socket.resetAndDestroy());
    await once(socket, "close");
    expect((await fetch(address)).status).toBeGreaterThan(0);
  }
});

test("secrets are the template's, unless the run is given others", async () => {
  const secret = (Name: string) => ({
    Type: "AWS::SecretsManager::Secret",
    Properties: { Name, GenerateSecretString: {} },
  });
  const { secretsManager, resource } = await provision(
    { resources: { One: secret("things/one"), Two: secret("things/two") } },
    { secrets: { "things/two": "given", "things/three": "made outside" } },
  );
  const ask = async (operation: string, body: object): Promise<Record<string, string>> => {
    const headers = { "X-Amz-Target": `secretsmanager.${operation}` };
    const response = await fetch(secretsManager, { method: "POST", headers, body: JSON.stringify(body) });
    return (await response.json()) as Record<string, string>;
  };
  const one = await ask("GetSecretValue", { SecretId: resource("One") });
  expect(one.SecretString).toMatch(/^[0-9a-f]{32}$/);
  expect(await ask("GetSecretValue", { SecretId: "things/two" })).toMatchObject({ SecretString: "given" });
  expect(await ask("GetSecretValue", { SecretId: "things/three" })).toMatchObject({
    SecretString: "made outside",
  });
  expect(await ask("CreateSecret", { Name: "things/one" })).toMatchObject({
    __type: "ResourceExistsException",
  });
  await ask("CreateSecret", { Name: "things/four", SecretString: "made" });
  await ask("PutSecretValue", { SecretId: "things/four", SecretString: "changed" });
  expect(await ask("GetSecretValue", { SecretId: "things/four" })).toMatchObject({ SecretString: "changed" });
  await ask("DeleteSecret", { SecretId: "things/four", ForceDeleteWithoutRecovery: true });
  expect(await ask("GetSecretValue", { SecretId: "things/four" })).toMatchObject({
    __type: "ResourceNotFoundException",
  });
  for (const name of ["RotateSecret", "constructor"])
    expect(await ask(name, {})).toMatchObject({
      message: expect.stringContaining(`does not support ${name}`),
    });
});

test("collecting garbage gives memory back, and environments keep what they have", async () => {
  const code = `
    let kept = [];
    export const handler = (size) => {
      if (size > 0) kept = Array.from({ length: size }, (_, n) => ({ n }));
      else if (size < 0) kept = kept.slice(0, 3);
      return { kept: kept.length, heap: process.memoryUsage().heapTotal };
    };`;
  const { invoke, collectGarbage } = await provision({ functions: { keep: { code } }, resources: {} });
  const heap = async (size: number) => ((await invoke("keep", size)) as { heap: number }).heap;
  const full = await heap(500_000);
  await invoke("keep", -1);
  collectGarbage();
  expect(await invoke("keep", 0)).toMatchObject({ kept: 3 });
  expect(await heap(0)).toBeLessThan(full - 10_000_000);
});

describe("a schedule", () => {
  const tick = (ScheduleExpression: string, State = "ENABLED") => ({
    Type: "AWS::Scheduler::Schedule",
    Properties: {
      ScheduleExpression,
      State,
      FlexibleTimeWindow: { Mode: "OFF" },
      Target: {
        Arn: { "Fn::GetAtt": ["task", "Arn"] },
        RoleArn: "x",
        Input: JSON.stringify(ScheduleExpression),
      },
    },
  });
  const functions = { task: { code: "export const handler = async (event) => console.log(event)" } };

  test("a schedule fires with its input, a rate for the first time as schedules are started", async () => {
    const resources = {
      Often: tick("rate(1 minute)"),
      Nightly: tick("cron(30 2 * * ? *)"),
      Off: tick("rate(2 days)", "DISABLED"),
    };
    const { lines, invoke, startSchedules } = await provision({ functions, resources });
    await invoke("task", "by hand");
    await startSchedules();
    await expect.poll(() => lines.map(({ text }) => text)).toEqual(["by hand", "rate(1 minute)"]);
  });

  test("a daily schedule uses the clock of its time zone", () => {
    const next = readSchedule("cron(30 2 * * ? *)", "Europe/Copenhagen");
    expect(next(new Date("2026-07-01T00:29:59Z"))).toEqual(new Date("2026-07-01T00:30:00Z"));
    expect(next(new Date("2026-07-01T00:30:00Z"))).toEqual(new Date("2026-07-02T00:30:00Z"));
    expect(next(new Date("2026-12-31T12:00:00Z"))).toEqual(new Date("2027-01-01T01:30:00Z"));
    expect(readSchedule("rate(15 minutes)", "UTC")(new Date(0))).toEqual(new Date(900_000));
  });
});

test("a run stops everything, even what is busy", async () => {
  const hung = {
    code: "export const handler = (how) => { for (; how !== 'wait';); return new Promise(() => {}); }",
    // Far longer than the test may take: nothing ends by timing out.
    properties: { Timeout: 900 },
  };
  const { api, invoke, stop } = await provision({
    functions: { hung },
    resources: {
      ...restApi([{ path: "/hung", method: "GET", function: "hung" }]),
      Work: { Type: "AWS::SQS::Queue" },
      Mapping: {
        Type: "AWS::Lambda::EventSourceMapping",
        Properties: { EventSourceArn: { "Fn::GetAtt": ["Work", "Arn"] }, FunctionName: { Ref: "hung" } },
      },
    },
  });
  stack = undefined;
  const outcomes = Promise.allSettled([
    ...Array.from({ length: 12 }, (_, one) => invoke("hung", one === 0 ? "spin" : "wait")),
    fetch(`${api}/hung`),
  ]);
  await stop();
  expect((await outcomes).map(({ status }) => status)).not.toContain("fulfilled");
  await expect(fetch(api)).rejects.toThrow();
});

test("a run after another in this process starts no thread, and finds empty tables", async () => {
  const functions = { task: { code: `let times = 0; export const handler = () => ++times;` } };
  const resources = {
    Things: {
      Type: "AWS::DynamoDB::Table",
      Properties: {
        KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
        AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      },
    },
  };
  const useOnce = async () => {
    const { invoke, dynamodb, region, resource, stop } = await provision({ functions, resources });
    expect(await invoke("task", {})).toBe(1);
    const client = new DynamoDBClient({ endpoint: dynamodb, region, credentials });
    const TableName = resource("Things");
    const key = { id: { S: "1" } };
    expect((await client.send(new GetItemCommand({ TableName, Key: key }))).Item).toBeUndefined();
    await client.send(new PutItemCommand({ TableName, Item: key }));
    client.destroy();
    await stop();
    stack = undefined;
  };
  await useOnce();
  let threads = 0;
  const count = () => {
    threads += 1;
  };
  subscribe("worker_threads", count);
  await useOnce();
  unsubscribe("worker_threads", count);
  expect(threads).toBe(0);
});

test("a port that is taken is an error, and everything that was started is stopped", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await expect.poll(() => other.listening).toBe(true);
  const { port } = other.address() as { port: number };
  await expect(provision({}, { port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  other.close();
});
