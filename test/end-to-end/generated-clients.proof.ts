import { type ExecFileOptions, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, type TestContext, test } from "vitest";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { type Pipeline, sharedPipeline } from "./pipeline.ts";

const execute = promisify(execFile);
const programs = resolve("docs/examples/generated-clients");

/** What is tried; docs/clients.md names the oldest generator that does. */
const versions = { openapiGenerator: "7.25.0", oapiCodegen: "v2.8.2", oapiRuntime: "v1.9.0" };

/** Of Maven Central: what the generated Java client needs (its pom.xml), and what verifies a webhook. */
const jars = [
  "com/fasterxml/jackson/core/jackson-core/2.21.5",
  "com/fasterxml/jackson/core/jackson-annotations/2.21",
  "com/fasterxml/jackson/core/jackson-databind/2.21.5",
  "com/fasterxml/jackson/datatype/jackson-datatype-jsr310/2.21.5",
  "org/openapitools/jackson-databind-nullable/0.2.11",
  "com/google/code/findbugs/jsr305/3.0.2",
  "jakarta/annotation/jakarta.annotation-api/1.3.5",
  "org/apache/httpcomponents/httpmime/4.5.14",
  "org/apache/httpcomponents/httpclient/4.5.14",
  "org/apache/httpcomponents/httpcore/4.4.16",
  "commons-logging/commons-logging/1.2",
  "com/standardwebhooks/standardwebhooks/1.2.0",
];

/** What a test may take: compilers fill their caches. */
const timeout = 400_000;

/** How long one download may take, so that a network that does not answer ends in a skipped test, too. */
const downloadTimeout = 120_000;

/** How long a program may take. It waits for webhooks, and would do so for ever if none came. */
const programTimeout = 120_000;

let pipeline: Pipeline;
let folder: string;

beforeAll(async () => {
  pipeline = await sharedPipeline();
  folder = await mkdtemp(join(tmpdir(), "generated-clients-"));
  await writeFile(join(folder, "openapi.json"), (await pipeline.ask("GET", "openapi.json")).text);
});
afterAll(async () => {
  await pipeline.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a tool that the test needs; where it is not to be had, the test is skipped and says so. */
async function fetchTool(
  context: TestContext,
  name: string,
  fetching: () => Promise<unknown>,
): Promise<void> {
  try {
    await fetching();
  } catch (error) {
    const reason = `${name} is not to be had here: ${String(error).split("\n", 2).join(" ")}`;
    // The reporter of npm test does not say why a test is skipped.
    console.log(`\nSkipped: ${context.task.name}. ${reason}`);
    context.skip(reason);
  }
}

/** Runs a command; if it fails, the test tells what it printed. */
async function run(cwd: string, command: string, ...words: readonly string[]): Promise<void> {
  await execute(command, words, { cwd, maxBuffer: 2 ** 24 }).catch((error) => {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    expect.fail(`${command} ${words.join(" ")}: ${error}\n${stdout}${stderr}`.slice(0, 5000));
  });
}

/** Runs a command that downloads. */
const download = (command: string, words: readonly string[], options: ExecFileOptions = {}) =>
  execute(command, words, { ...options, timeout: downloadTimeout });

async function downloadJar(path: string): Promise<string> {
  const [name, version] = path.split("/").slice(-2);
  const file = join(folder, `${name}-${version}.jar`);
  const signal = AbortSignal.timeout(downloadTimeout);
  const response = await fetch(`https://repo1.maven.org/maven2/${path}/${name}-${version}.jar`, { signal });
  if (!response.ok) throw new Error(`Maven Central answers ${response.status}`);
  await writeFile(file, await response.bytes());
  return file;
}

let generatorJar: Promise<string> | undefined;

/** Has openapi-generator write a client for a language. @returns its folder */
async function openapiGenerator(context: TestContext, language: string, ...options: readonly string[]) {
  let jar = "";
  await fetchTool(context, "openapi-generator", async () => {
    generatorJar ??= downloadJar(`org/openapitools/openapi-generator-cli/${versions.openapiGenerator}`);
    jar = await generatorJar;
    // Fails without Java, and with one that is too old.
    await execute("java", ["-jar", jar, "version"]);
  });
  const words = ["-jar", jar, "generate", "-i", "openapi.json", "-g", language, "-o", language, ...options];
  await run(folder, "java", ...words);
  return join(folder, language);
}

/**
 * Expects of a program that it submits five cards, reads each one's state, finds each in the feed and is told of each
 * by a webhook with a signature that it verifies; that it takes no webhook that somebody else has signed; and that it
 * removes its endpoint.
 */
async function followsFiveCards(name: string, cwd: string, command: string, ...words: readonly string[]) {
  const { account } = pipeline.vendor(0);
  const ids = [1, 2, 3, 4, 5].map((number) => `${name} ${number}`);
  const cards = ids.map((ExternalID) => minimalCard(pipeline.standIn, { ExternalID }));
  await writeFile(join(cwd, "cards.json"), JSON.stringify(cards));
  const program = spawn(command, [...words, "cards.json"], {
    cwd,
    timeout: programTimeout,
    env: {
      ...process.env,
      API_URL: pipeline.machine.run.api,
      API_USER: account.username,
      API_PASSWORD: account.password,
    },
  });
  let errors = "";
  program.stderr.on("data", (data) => {
    errors += data;
  });
  const lines: string[] = [];
  let endpoint: string | undefined;
  let forged: number | undefined;
  for await (const line of createInterface(program.stdout)) {
    const [, hook] = /^hook (http:.+)/.exec(line) ?? [];
    if (hook === undefined) {
      lines.push(line);
      continue;
    }
    endpoint = hook;
    forged = await postForgedEvent(hook, ids[0] ?? "");
  }
  const [code] = program.exitCode === null ? await once(program, "exit") : [program.exitCode];
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  expect(forged).toBe(401);
  const { webhooks } = (await pipeline.vendor(0).ask("GET", "Webhooks")).body;
  expect(webhooks.map(({ url }: { url: string }) => url)).not.toContain(endpoint);
  expect(lines.filter((line) => line.startsWith("accepted ")).map((line) => line.split(" ").at(-1))).toEqual(
    cards.map(() => expect.stringMatching(/^\d+$/)),
  );
  for (const found of ["state", "event", "webhook"]) {
    const told = lines.filter((line) => line.startsWith(`${found} `));
    expect(told.sort()).toEqual(ids.map((externalId) => `${found} ${externalId}`));
  }
}

/** Posts an event as it would be, but for the secret. @returns the status of the answer */
async function postForgedEvent(url: string, externalId: string): Promise<number> {
  const timestamp = new Date();
  const data = { apiSet: "greens-app", cards: [{ externalId, state: "delivered" }] };
  const body = JSON.stringify({ type: "scorecard.delivered", id: "msg_1", timestamp, data });
  const signature = new Webhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").sign("msg_1", timestamp, body);
  const { status } = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(timestamp.getTime() / 1000)),
      "webhook-signature": signature,
    },
    body,
  });
  return status;
}

test("the Go client that oapi-codegen makes compiles, follows five cards and verifies their webhooks", {
  timeout,
}, async (context) => {
  const home = join(folder, "go");
  await mkdir(join(home, "scorecards"), { recursive: true });
  await copyFile(join(programs, "go", "main.go"), join(home, "main.go"));
  await fetchTool(context, "Go with its modules", async () => {
    await execute("go", ["mod", "init", "example.com/follow-cards"], { cwd: home });
    const webhooks = "github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1";
    const runtime = `github.com/oapi-codegen/runtime@${versions.oapiRuntime}`;
    await download("go", ["get", webhooks, runtime], { cwd: home });
  });
  const generator = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${versions.oapiCodegen}`;
  const env = { ...process.env, GOBIN: folder };
  await fetchTool(context, "oapi-codegen", () => download("go", ["install", generator], { env }));
  const options = ["-generate", "types,client", "-package", "scorecards", "-o", "scorecards/client.go"];
  await run(home, join(folder, "oapi-codegen"), ...options, join(folder, "openapi.json"));
  await run(home, "go", "build", "-mod=mod", "-o", "follow-cards", ".");
  await followsFiveCards("oapi-codegen", home, join(home, "follow-cards"));
});

test("the Java client that openapi-generator makes compiles, follows five cards and verifies their webhooks", {
  timeout,
}, async (context) => {
  let libraries: string[] = [];
  await fetchTool(context, "the JDK with its libraries", async () => {
    // Fails without a JDK, and with one before 17, which is too old for the program.
    await execute("javac", ["--release", "17", "-version"]);
    libraries = await Promise.all(jars.map(downloadJar));
  });
  const generated = await openapiGenerator(context, "java", "--library", "native");
  const home = join(folder, "java-program");
  await mkdir(home);
  const classPath = [home, ...libraries].join(delimiter);
  // All that was generated, not only what the program uses.
  const root = join(generated, "src/main/java");
  const sources = (await readdir(root, { recursive: true })).filter((file) => file.endsWith(".java"));
  await writeFile(join(home, "sources"), sources.map((file) => JSON.stringify(join(root, file))).join("\n"));
  const program = join(programs, "java/FollowCards.java");
  await run(home, "javac", "-nowarn", "-cp", classPath, "-d", home, "@sources", program);
  await followsFiveCards("openapi-generator, Java", home, "java", "-cp", classPath, "FollowCards");
});
