import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { type InstalledPackage, installPackage } from "../packages/installed-package.ts";
import { type Pipeline, sharedPipeline } from "./pipeline.ts";

const run = promisify(execFile);
const { name, version } = JSON.parse(await readFile("packages/client/package.json", "utf8")) as {
  name: string;
  version: string;
};
const readme = await readFile("packages/client/README.md", "utf8");
/** The examples after the one that shows how to create a client. */
const [, submitting, courses, activity, following, webhook] = [
  ...readme.matchAll(/```ts\n([\s\S]+?)```/g),
].map(([, code]) => code);

let pipeline: Pipeline;
let home: InstalledPackage;
/** Where the package is installed. */
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  pipeline = await sharedPipeline();
  home = await installPackage("client");
  folder = home.folder;
  env = {
    PATH: process.env.PATH,
    SCORECARDS_API: pipeline.machine.run.api,
    SCORECARDS_USERNAME: "greens-app",
    SCORECARDS_PASSWORD: "greens-app-demo",
    WEBHOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  };
});
afterAll(async () => {
  await pipeline.stop();
  await home?.remove();
});

async function runExample(code: string | undefined): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.ts`);
  await writeFile(file, String(code));
  return (await run(process.execPath, [file], { cwd: folder, env })).stdout;
}

test("the client's README names the package", () => {
  expect(readme).toContain(`# ${name}\n`);
  expect(readme).toContain(`from "${name}"`);
});

/** Name of the file that `npm pack` makes. */
const packed = `${name.slice(1).replace("/", "-")}-${version}.tgz`;

/** The commands of a section of docs/clients.md, block by block. */
async function documentedCommands(heading: string): Promise<string[]> {
  const page = await readFile("docs/clients.md", "utf8");
  const section = page.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? "";
  return Array.from(section.matchAll(/```sh\n([\s\S]+?)```/g), ([, block]) => String(block));
}

/** The address of a local run, which the documents have. */
const documentedApi = "http://127.0.0.1:3000/test";

/** Runs commands in a folder that is empty but for some files, with nothing to be had from a registry. */
async function inEmptyFolder(
  commands: readonly string[],
  files: Readonly<Record<string, Uint8Array>>,
): Promise<string> {
  const empty = await mkdtemp(join(tmpdir(), "client-of-the-docs-"));
  for (const [file, content] of Object.entries(files)) await writeFile(join(empty, file), content);
  const env = { ...process.env, npm_config_registry: "http://127.0.0.1:1", npm_config_audit: "false" };
  let printed = "";
  for (const command of commands) {
    const script = command.replaceAll(documentedApi, pipeline.machine.run.api);
    printed += (await run("bash", ["-ec", script], { cwd: empty, env })).stdout;
  }
  await rm(empty, { recursive: true });
  return printed;
}

test("in an empty folder one command of docs/clients.md sends a card that is delivered, and another installs the package", async () => {
  const [send = "", install, ...others] = await documentedCommands("The client package");
  expect([install, others]).toEqual([`npm install ./${packed}\n`, []]);
  const printed = await inEmptyFolder([send, String(install)], { [packed]: home.tarball });
  expect(printed).toMatch(/^accepted from tee .+: [\da-f]{32}\n(warning: .+\n)*(.+\n)*delivered$/m);
});

test("openapi.json is sent gzipped to clients that accept that, and plain to others", async () => {
  const address = `${pipeline.machine.run.api}/openapi.json`;
  const [gzipped, plain] = await Promise.all(
    ["gzip", "identity"].map((coding) => fetch(address, { headers: { "Accept-Encoding": coding } })),
  );
  expect(gzipped?.headers.get("content-encoding")).toBe("gzip");
  expect(plain?.headers.get("content-encoding")).toBeNull();
  expect(gzipped?.headers.get("vary")).toBe("Accept-Encoding");
  expect(await gzipped?.json()).toEqual(await plain?.json());
});

test("the package's README and that of the repository say how to get it, and link to nothing that it lacks", async () => {
  expect(readme).toContain(`npm install ./${packed}\n`);
  expect(await readFile("README.md", "utf8")).toContain("docs/clients.md#the-client-package");
  const links = [...readme.matchAll(/\]\((?!https:)([^)]+)\)/g)].map(([, link]) => String(link));
  for (const link of links) await expect(readFile(join(home.installed, link))).resolves.toBeDefined();
  await expect(readFile(join(home.installed, "README.md"), "utf8")).resolves.toBe(readme);
});

test("the README's first example submits cards, says what is wrong with one, and follows the others", async () => {
  const card = (ExternalID: string, change = {}) => minimalCard(pipeline.standIn, { ExternalID, ...change });
  const cards = [card("readme 1"), card("readme 2", { HCP: "much" }), card("readme 3")];
  await writeFile(join(folder, "cards.json"), JSON.stringify(cards));
  const said = await runExample(submitting);
  expect(said).toMatch(/^card 1 \/HCP: /m);
  expect(said).toContain("readme 1 is delivered");
  expect(said).toContain("readme 3 is delivered");
});

test("the README's second example reads the courses of clubs", async () => {
  const lines = (await runExample(courses)).trim().split("\n");
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toMatch(/: \d+ versions changed$/);
});

test("the README's third example counts today's cards and lists those since yesterday", async () => {
  await pipeline.vendor(0).submit([minimalCard(pipeline.standIn, { ExternalID: "readme 4" })]);
  const listed = /^readme 4 is \w+: [\w-]{43}$/m;
  await expect.poll(() => runExample(activity)).toMatch(listed);
  await expect
    .poll(() => runExample(activity))
    .toMatch(/^today [1-9]\d* accepted, \d+ delivered; \d+ wait$/m);
});

test("the README's fourth example reads what has happened, and from where to go on", async () => {
  await pipeline.vendor(0).submit([minimalCard(pipeline.standIn, { ExternalID: "readme 5" })]);
  await expect
    .poll(() => runExample(following))
    .toMatch(/^scorecard\.delivered .+\n(.*\n)*next time after [\w-]+\n$/m);
});

test("the README's fifth example is a server that waits for webhooks", async () => {
  const file = join(folder, "webhook.ts");
  await writeFile(file, `${webhook}\nconsole.log("listening");\n`);
  const child = spawn(process.execPath, [file], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  expect(String(await once(child.stdout, "data"))).toContain("listening");
  child.kill();
});
