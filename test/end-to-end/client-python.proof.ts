import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { hasPip, installWheel, type PythonFolder, python } from "../packages/python.ts";
import { type Pipeline, sharedPipeline } from "./pipeline.ts";

const run = promisify(execFile);
const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
const wheel = `scorecard_pipeline_client-${version}-py3-none-any.whl`;
const readme = await readFile("packages/client-python/README.md", "utf8");
/** The examples after the one that shows how to create a client. */
const [, submitting, correcting, courses, activity, following, webhook] = Array.from(
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

describe.skipIf(!hasPip)(
  "with Python (no Python 3.10 with venv and pip found: install it or set PYTHON)",
  () => {
    let pipeline: Pipeline;
    let home: PythonFolder;
    let env: NodeJS.ProcessEnv;

    beforeAll(async () => {
      pipeline = await sharedPipeline();
      const { api } = pipeline.machine.run;
      const packed = await mkdtemp(join(tmpdir(), "wheel-"));
      await run(process.execPath, ["bin/pack-python-client.ts", packed]);
      home = await installWheel(join(packed, wheel));
      await rm(packed, { recursive: true });
      env = {
        PATH: process.env.PATH,
        SCORECARDS_API: api,
        SCORECARDS_USERNAME: "greens-app",
        SCORECARDS_PASSWORD: "greens-app-demo",
        WEBHOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      };
    });
    afterAll(async () => {
      await pipeline.stop();
      await home?.remove();
    });

    /** Runs a program with the client. */
    async function runPython(code: string | undefined): Promise<string> {
      const file = join(home.folder, `${crypto.randomUUID()}.py`);
      await writeFile(file, String(code));
      return (await run(home.python, [file], { cwd: home.folder, env })).stdout;
    }

    const card = (ExternalID: string, change = {}) =>
      minimalCard(pipeline.standIn, { ExternalID, ...change });

    test("in an empty folder two commands of docs/clients.md install the Python client and submit a card that is delivered", async () => {
      const page = await readFile("docs/clients.md", "utf8");
      const section = page.split(/^## /m).find((one) => one.startsWith("The Python client\n")) ?? "";
      const commands = Array.from(section.matchAll(/```sh\n([\s\S]+?)```/g), ([, block]) => String(block));
      expect(commands).toHaveLength(2);
      expect(commands[0]).toContain(`pip install ./${wheel}\n`);
      const empty = await mkdtemp(join(tmpdir(), "python-of-the-docs-"));
      await run(process.execPath, ["bin/pack-python-client.ts", empty]);
      const offline = { ...process.env, PIP_NO_INDEX: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1" };
      let printed = "";
      for (const command of commands) {
        const script = command
          .replaceAll(documentedApi, pipeline.machine.run.api)
          .replace("python3 -m venv", `${python} -m venv`);
        printed += (await run("bash", ["-ec", script], { cwd: empty, env: offline })).stdout;
      }
      expect(printed).toMatch(/^python 1 is delivered$/m);
      await rm(empty, { recursive: true });
    });

    test("the Python README's first examples submit cards, say what is wrong with one, follow, correct and withdraw", async () => {
      const cards = [card("readme 1"), card("readme 2", { HCP: "much" }), card("readme 3")];
      await writeFile(join(home.folder, "cards.json"), JSON.stringify(cards));
      const said = await runPython(submitting);
      expect(said).toMatch(/^card 1 \/HCP: /m);
      expect(said).toContain("readme 1 is delivered");
      expect(said).toContain("readme 3 is delivered");
      expect(await runPython(correcting)).toMatch(/^HTTP 409: /);
      const { body } = await pipeline.vendor(0).ask("GET", "ScorecardExchange/readme%201/Card");
      expect(body.card.Comment).toBe("corrected");
    });

    test("the Python README's further examples read courses, count and list cards, and read events", async () => {
      const lines = (await runPython(courses)).trim().split("\n");
      expect(lines).toHaveLength(3);
      for (const line of lines) expect(line).toMatch(/: \d+ versions changed$/);
      await pipeline.vendor(0).submit([card("python readme 4")]);
      await expect.poll(() => runPython(activity)).toMatch(/^python readme 4 is \w+: [\w-]{43}$/m);
      expect(await runPython(activity)).toMatch(/^today [1-9]\d* accepted, \d+ delivered; \d+ wait$/m);
      expect(await runPython(following)).toMatch(
        /^scorecard\.\w+ \['.+'\]\n(.*\n)*next time after \d+-\d+\n$/m,
      );
    });

    test("the Python README's last example is a server that takes what is signed with its secret, and nothing else", async () => {
      const file = join(home.folder, "hook.py");
      const anyPort = String(webhook)
        .replace('("127.0.0.1", 8000)', '("127.0.0.1", 0)')
        .replace("server.serve_forever()", "print(server.server_port, flush=True)\nserver.serve_forever()");
      await writeFile(file, anyPort);
      const child = spawn(home.python, [file], {
        cwd: home.folder,
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
        return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: changed })).status;
      };
      expect([await post(body), await post(`${body} `), await post(body, 301_000)]).toEqual([204, 401, 401]);
      expect((await printed.next()).value).toBe("webhook.test");
      child.kill();
      await once(child, "exit");
    });

    test("a program in Python submits 1,100 cards of which some are refused, and finds each by its place", async () => {
      const good = card("template");
      await writeFile(join(home.folder, "template.json"), JSON.stringify(good));
      const said = await runPython(`
import json, os
from scorecard_pipeline_client import Client, ConflictError, InvalidCardsError, NotFoundError, UnauthorizedError

api, username, password = (os.environ[f"SCORECARDS_{name}"] for name in ("API", "USERNAME", "PASSWORD"))
client = Client(api, username, password)
template = json.load(open("template.json"))
def card(number):
    return {**template, "ExternalID": f"python batch {number}", **({"HCP": "much"} if number % 100 == 7 else {})}
entries = client.submit(card(number) for number in range(1_100))
for number, entry in enumerate(entries):
    assert entry["index"] == number and entry["externalId"] == f"python batch {number}"
    assert (entry["status"] == 422) == (number % 100 == 7), entry
    for fault in entry.get("errors", []):
        assert (fault["index"], fault["pointer"]) == (number, "/HCP"), fault
print("refused", sum(entry["status"] == 422 for entry in entries))

names = [f"python batch {number}" for number in range(1_100)]
states = {status["externalId"]: status["state"] for status in client.follow(names)}
assert list(states) and {status["externalId"] for status in client.statuses(names)} == set(names)
print({state: list(states.values()).count(state) for state in sorted(set(states.values()))})
print("listed", sum(one["externalId"].startswith("python batch") for one in client.refusals(code="ten_thousandths_invalid")))

try:
    client.submit_all_or_none(card(number) for number in range(1_100, 2_600))
except InvalidCardsError as error:
    print("none of", error.status, len(error.errors), client.statuses(["python batch 1100"])[0]["state"])
print("valid", client.validate([card(0)])["accepted"])

for wrong, call in ((UnauthorizedError, Client(api, username, "wrong").clubs),
                    (NotFoundError, lambda: client.withdraw("never sent")),
                    (ConflictError, lambda: client.withdraw("python batch 1"))):
    try:
        call()
    except wrong as error:
        print(error.status, error.request_id is not None)

cache = {}
caching = Client(api, username, password, cache=cache)
assert caching.clubs() == caching.clubs() and len(cache) == 1
hook = client.create_webhook("https://hooks.example/python", types=["scorecard.rejected"])
assert hook["secret"].startswith("whsec_") and [one["id"] for one in client.webhooks()].count(hook["id"]) == 1
assert client.change_webhook(hook["id"], enabled=False)["types"] == ["scorecard.rejected"]
client.remove_webhook(hook["id"])
print("hooks", sum(one["id"] == hook["id"] for one in client.webhooks()))
`);
      expect(said.trim().split("\n")).toEqual([
        "refused 11",
        "{'delivered': 1089, 'refused': 11}",
        "listed 11",
        "none of 422 15 unknown",
        "valid True",
        "401 True",
        "404 True",
        "409 True",
        "hooks 0",
      ]);
    });

    test("a follower of events in Python that is killed again and again leaves no outcome out", async () => {
      // It writes what it handles into a file, and dies without a warning after some events, also within a page.
      const follower = `
import os, signal, sys
from scorecard_pipeline_client import Client

client = Client(*(os.environ[f"SCORECARDS_{name}"] for name in ("API", "USERNAME", "PASSWORD")))
after = open("cursor").read() if os.path.exists("cursor") else sys.argv[1]
left = int(sys.argv[2])
for page in client.follow_events(after=after):
    for event in page["events"]:
        with open("handled", "a") as file:
            file.writelines(f"{card['externalId']} {card['state']}\\n" for card in event["data"].get("cards", []))
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    with open("cursor.new", "w") as file:
        file.write(page["cursor"])
    os.replace("cursor.new", "cursor")
`;
      const file = join(home.folder, "follower.py");
      await writeFile(file, follower);
      await writeFile(join(home.folder, "handled"), "");
      const begin = (await pipeline.vendor(0).ask("GET", "Events?after=latest")).body.cursor;
      const names = Array.from({ length: 150 }, (_, number) => `python feed ${number}`);
      for (let first = 0; first < names.length; first += 75) {
        await pipeline.vendor(0).submit(names.slice(first, first + 75).map((name) => card(name)));
      }
      const handled = async () => (await readFile(join(home.folder, "handled"), "utf8")).split("\n");
      const missing = async () => {
        const lines = new Set(await handled());
        return names.filter((name) => !lines.has(`${name} delivered`));
      };
      let kills = 0;
      while ((await missing()).length > 0) {
        const child = spawn(home.python, [file, begin, String(1 + kills * 7)], {
          cwd: home.folder,
          env,
          stdio: "inherit",
        });
        const exited = once(child, "exit");
        let hasEnded = false;
        void exited.then(() => {
          hasEnded = true;
        });
        // It waits for further events where there are none, and dies only with one.
        while (!hasEnded && (await missing()).length > 0) await setTimeout(50);
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
