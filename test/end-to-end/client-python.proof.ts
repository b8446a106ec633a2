import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { type Pipeline, sharedPipeline } from "./pipeline.ts";

const execute = promisify(execFile);
const run = (
  command: string,
  words: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
) =>
  execute(command, words, { ...options, maxBuffer: 2 ** 24 }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => expect.fail(`${command} ${words.join(" ")}:\n${stdout}${stderr}`.slice(0, 5_000)),
  );

const source = resolve("packages/client-python");
const wheel = "scorecard_pipeline_client-*.whl";
const readme = await readFile(join(source, "README.md"), "utf8");
/** The examples after the one that shows how to create a client. */
const [, submitting, requests, following, webhook] = Array.from(
  readme.matchAll(/```python\n([\s\S]+?)```/g),
  ([, code]) => String(code),
);
/** The address of a local run, which the documents have. */
const documentedApi = "http://127.0.0.1:3000/test";

test("the README of the Python client says how to get it, and links to nothing that is not on the web", () => {
  expect(readme).toContain(`\npip install ./${wheel}\n`);
  const links = Array.from(readme.matchAll(/\]\(([^)]+)\)/g), ([, link]) => String(link));
  expect(links.filter((link) => !link.startsWith("https:"))).toEqual([]);
});

/** The Python that makes the environment, which the project itself does not need: of the variable PYTHON, or `python3`. */
const python = process.env.PYTHON ?? "python3";
/** Debian has venv in a package of its own, python3-venv. */
const hasPython = ((): boolean => {
  try {
    const condition = "import ensurepip, sys, venv\nassert sys.version_info >= (3, 11)";
    execFileSync(python, ["-c", condition], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

let folder: string;
let built = "";
let env: NodeJS.ProcessEnv;
let pipeline: Pipeline;
const inVenv = (name: string) => join(folder, ".venv/bin", name);

/** Builds the wheel as `npm run client:pack:python` does, and installs it. @returns why it cannot be built, if so */
async function installClient(): Promise<string | undefined> {
  const project = await readFile(join(source, "pyproject.toml"), "utf8");
  const listed = (name: string) =>
    JSON.parse(new RegExp(`^${name} = (\\[.+\\])$`, "m").exec(project)?.[1] ?? "[]");
  await run(python, ["-m", "venv", ".venv"], { cwd: folder });
  const pip = ["--disable-pip-version-check", "-q"];
  try {
    const packages = [...listed("requires"), ...listed("dependencies"), "mypy==2.4.1"];
    await execute(inVenv("pip"), ["install", ...pip, ...packages], { timeout: 400_000 });
  } catch (error) {
    return `Its packages are not to be had here: ${String(error).split("\n", 2).join(" ")}`;
  }
  const path = [join(folder, ".venv/bin"), process.env.PATH].join(delimiter);
  const build = ["wheel", ...pip, "--no-build-isolation", "--no-deps", "--wheel-dir", folder, source];
  await run(inVenv("pip"), build, { env: { ...process.env, PATH: path } });
  [built = ""] = globSync(wheel, { cwd: folder });
  expect(built).toMatch(/-\d+\.\d+\.\d+\+[0-9a-f]{7,}(\.dirty)?-py3-none-any\.whl$/);
  await run(inVenv("pip"), ["install", ...pip, "--no-index", join(folder, built)]);
  return undefined;
}

describe.skipIf(!hasPython)(
  "with Python (no Python 3.11 with venv and pip found: install it or set PYTHON)",
  () => {
    let missing: string | undefined;
    beforeAll(async () => {
      pipeline = await sharedPipeline();
      folder = await mkdtemp(join(tmpdir(), "python-client-"));
      env = {
        PATH: process.env.PATH,
        SCORECARDS_API: pipeline.machine.run.api,
        SCORECARDS_USERNAME: "greens-app",
        SCORECARDS_PASSWORD: "greens-app-demo",
        WEBHOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      };
      missing = await installClient();
    }, 600_000);
    afterAll(async () => {
      await pipeline.stop();
      await rm(folder, { recursive: true, force: true });
    });

    /** A test that needs the installed client. */
    const proof = (name: string, body: () => Promise<void>) =>
      test(name, { timeout: 400_000 }, async (context) => {
        if (missing !== undefined) {
          console.log(`\nSkipped: ${name}. ${missing}`);
          context.skip(missing);
        }
        await body();
      });

    async function runPython(code: string | undefined): Promise<string> {
      const file = join(folder, `${crypto.randomUUID()}.py`);
      await writeFile(file, String(code));
      return await run(inVenv("python"), [file], { cwd: folder, env });
    }

    const card = (ExternalID: string, change = {}) =>
      minimalCard(pipeline.standIn, { ExternalID, ...change });

    proof(
      "in a folder with the wheel two commands of docs/clients.md install it and submit a card that is delivered",
      async () => {
        const page = await readFile("docs/clients.md", "utf8");
        const section = page.split(/^## /m).find((one) => one.startsWith("The Python client\n")) ?? "";
        const commands = Array.from(section.matchAll(/```sh\n([\s\S]+?)```/g), ([, block]) => String(block));
        expect(commands).toHaveLength(2);
        const home = await mkdtemp(join(tmpdir(), "python-of-the-docs-"));
        await copyFile(join(folder, built), join(home, built));
        let printed = "";
        for (const command of commands) {
          const script = command
            .replaceAll(documentedApi, pipeline.machine.run.api)
            .replace("python3 -m venv", `${python} -m venv`);
          printed += await run("bash", ["-ec", script], { cwd: home });
        }
        expect(printed).toMatch(/^python 1 is delivered$/m);
        await rm(home, { recursive: true });
      },
    );

    proof(
      "mypy finds nothing in what the Python client adds to its generated requests, in its strict mode",
      async () => {
        const words = ["--strict", "--follow-imports=silent", "--cache-dir", "/dev/null"];
        const own = ["", ".connect", ".errors", ".events", ".submit"].map(
          (module) => `-mscorecard_pipeline_client${module}`,
        );
        expect(await run(inVenv("mypy"), [...words, ...own], { cwd: folder })).toMatch(
          /^Success: no issues found in 5 /,
        );
      },
    );

    proof(
      "the Python README's examples submit cards, say what is wrong with one, read courses, states and events",
      async () => {
        const cards = [card("readme 1"), card("readme 2", { HCP: "much" }), card("readme 3")];
        await writeFile(join(folder, "cards.json"), JSON.stringify(cards));
        const [first, second, third] = (await runPython(submitting)).trim().split("\n");
        expect([first, third]).toEqual(["readme 1 is accepted", "readme 3 is accepted"]);
        expect(second).toMatch(/^card 1 \/HCP: /);
        const lines = (await runPython(requests)).trim().split("\n");
        expect(lines.slice(0, 3).filter((line) => !/: \d+ versions$/.test(line))).toEqual([]);
        expect(lines[3]).toMatch(/^today \d+ accepted$/);
        expect(lines[4]).toMatch(/^(queued|delivered)$/);
        await expect
          .poll(() => runPython(following))
          .toMatch(/^scorecard\.\w+ \['.+'\]\n(.*\n)*next time after [\w-]+\n$/m);
      },
    );

    proof(
      "the Python README's last example is a server that takes what is signed with its secret, and nothing else",
      async () => {
        const file = join(folder, "hook.py");
        const anyPort = String(webhook)
          .replace('("127.0.0.1", 8000)', '("127.0.0.1", 0)')
          .replace("server.serve_forever()", "print(server.server_port, flush=True)\nserver.serve_forever()");
        await writeFile(file, anyPort);
        const child = spawn(inVenv("python"), [file], {
          cwd: folder,
          env,
          stdio: ["ignore", "pipe", "ignore"],
        });
        const printed = createInterface(child.stdout)[Symbol.asyncIterator]();
        const { value: port } = await printed.next();
        const body = JSON.stringify({ type: "webhook.test", data: { note: "Kjær" } });
        const post = async (changed: string, age = 0) => {
          const date = new Date(Date.now() - age);
          const headers = {
            "webhook-id": "evt_1",
            "webhook-timestamp": String(Math.floor(date.getTime() / 1_000)),
            "webhook-signature": new Webhook(String(env.WEBHOOK_SECRET)).sign("evt_1", date, body),
          };
          return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: changed }))
            .status;
        };
        expect([await post(body), await post(`${body} `), await post(body, 301_000)]).toEqual([
          204, 401, 401,
        ]);
        expect((await printed.next()).value).toBe("webhook.test");
        child.kill();
        await once(child, "exit");
      },
    );

    proof(
      "a program in Python submits 450 cards of which some are refused, and finds each by its place",
      async () => {
        await writeFile(join(folder, "template.json"), JSON.stringify(card("template")));
        const said = await runPython(`
import json, os
from scorecard_pipeline_client import ApiError, connect, submit
from scorecard_pipeline_client.generated.models import Scorecard

api, username, password = (os.environ[f"SCORECARDS_{name}"] for name in ("API", "USERNAME", "PASSWORD"))
template = json.load(open("template.json"))
def card(number):
    name = f"python batch {5 if number == 444 else number}"
    made = {**template, "ExternalID": name, **({"HCP": "much"} if number % 100 == 7 else {})}
    return Scorecard.from_dict(made) if number % 2 == 0 else made
entries = list(submit(connect(api, username, password), username, map(card, range(450))))
assert [entry.index for entry in entries] == list(range(450))
for number, entry in enumerate(entries):
    if entry.status == 201:
        assert entry.card.external_id == entry.external_id == f"python batch {number}"
    else:
        print(number, {(fault.index, fault.pointer, fault.code) for fault in entry.errors})
for api_set, secret in ((username, "wrong"), ("another", password)):
    try:
        list(submit(connect(api, username, secret), api_set, [card(1)]))
    except ApiError as error:
        print(error.status, error.problem.title, secret in str(error))
`);
        expect(said.trim().split("\n")).toEqual([
          ...[7, 107, 207, 307, 407].map(
            (index) => `${index} {(${index}, '/HCP', 'ten_thousandths_invalid')}`,
          ),
          "444 {(444, '/ExternalID', 'duplicate_external_id')}",
          expect.stringMatching(/^401 .+ False$/),
          expect.stringMatching(/^403 .+ False$/),
        ]);
      },
    );

    proof(
      "a submission in Python is sent again after 503 and after a lost connection, and without retries it fails",
      async () => {
        const answers = [503, 0, 207];
        const server = createServer(async (request, response) => {
          const status = answers.shift() ?? 503;
          for await (const _ of request);
          if (status === 0) request.socket.destroy();
          else response.writeHead(status, { "Retry-After": "0" }).end(JSON.stringify([]));
        });
        await once(server.listen(0, "127.0.0.1"), "listening");
        const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const said = await runPython(`
from scorecard_pipeline_client import ApiError, connect
def ask(**options):
    with connect("${address}/", "a", "b", **options) as client:
        return client.get_httpx_client().post("/a/ScorecardExchange", json=[]).status_code
print(ask(), ask(retry_seconds=0))
`);
        expect([said, answers]).toEqual(["207 503\n", []]);
        server.close();
      },
    );

    proof("a follower of events in Python that is killed again and again leaves no outcome out", async () => {
      // It writes what it handles into a file, and dies without a warning after some events, also within a page.
      const follower = `
import os, signal, sys
from scorecard_pipeline_client import connect, follow_events

api, username, password = (os.environ[f"SCORECARDS_{name}"] for name in ("API", "USERNAME", "PASSWORD"))
after = open("cursor").read() if os.path.exists("cursor") else sys.argv[1]
left = int(sys.argv[2])
for page in follow_events(connect(api, username, password), username, after):
    for event in page.events:
        with open("handled", "a") as file:
            file.writelines(f"{card.external_id} {card.state}\\n" for card in event.data.cards or [])
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    with open("cursor.new", "w") as file:
        file.write(page.cursor)
    os.replace("cursor.new", "cursor")
`;
      const file = join(folder, "follower.py");
      await writeFile(file, follower);
      await writeFile(join(folder, "handled"), "");
      const begin = (await pipeline.vendor(0).ask("GET", "Events?after=latest")).body.cursor;
      const names = Array.from({ length: 150 }, (_, number) => `python feed ${number}`);
      for (let first = 0; first < names.length; first += 75) {
        await pipeline.vendor(0).submit(names.slice(first, first + 75).map((name) => card(name)));
      }
      const handled = async () => (await readFile(join(folder, "handled"), "utf8")).split("\n");
      const unhandled = async () => {
        const lines = new Set(await handled());
        return names.filter((name) => !lines.has(`${name} delivered`));
      };
      let kills = 0;
      while ((await unhandled()).length > 0) {
        const child = spawn(inVenv("python"), [file, begin, String(1 + kills * 25)], {
          cwd: folder,
          env,
          stdio: "inherit",
        });
        const exited = once(child, "exit");
        // It waits for further events where there are none, and dies only with one.
        while (child.signalCode === null && child.exitCode === null && (await unhandled()).length > 0)
          await setTimeout(50);
        child.kill("SIGKILL");
        expect((await exited)[1]).toBe("SIGKILL");
        kills += 1;
      }
      const lines = await handled();
      // The first one died within its first page, so what it had handled came again.
      expect([kills > 1, lines.length > new Set(lines).size]).toEqual([true, true]);
    });
  },
);
