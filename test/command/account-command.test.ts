import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { APIGatewayClient, GetApiKeysCommand } from "@aws-sdk/client-api-gateway";
import { DescribeSecretCommand, GetSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ApiSet } from "../../core/accounts/account.ts";
import { webhookTable } from "../../core/webhooks/endpoint-table.ts";
import { writeRunFile } from "../../local/pipeline/run-file.ts";
import { startEndpoint } from "../../local/pipeline/webhook-endpoint.ts";
import { sharedPipelineWithNewVendors, type Vendor, vendorOf } from "../end-to-end/pipeline.ts";
import { startRefusingProxy } from "./refusing-proxy.ts";
import { provideCommand } from "./run-command.ts";

const { pipeline, command, hold, dynamodb, secrets, card } = await provideCommand(
  sharedPipelineWithNewVendors,
);
const { region, apiGateway } = pipeline.machine.run;
const gateway = new APIGatewayClient({ region, credentials: localCredentials, endpoint: apiGateway });

/** An API Gateway that does all but empty the authorizer's cache. */
const gatewayWithoutFlush = (address: string) =>
  startRefusingProxy(address, "BadRequestException", ({ url = "" }) => url.includes("/cache/authorizers"));

describe("an account", () => {
  const asked = (account: { username: string; password: string; apiSet: string }) =>
    vendorOf(pipeline.machine.run.api, { ...account, resources: [] });
  const status = async (vendor: Vendor, path: string) => (await vendor.ask("GET", path)).status;

  test("an account can be added, used, changed and disabled, and each change is in effect at once", async () => {
    const union = { SCORECARDS_UNION_PASSWORD: "fairway-live-demo" };
    const atUnion = "--union-username fairway-live --union-api-set fairway-live --json";
    const add = `account add new-app --resources clubs scorecards ${atUnion}`;
    const added = await command.run(add.split(" "), union);
    expect([added.code, added.stderr]).toEqual([0, ""]);
    const [account] = added.json;
    expect(account).toMatchObject({ username: "new-app", apiSet: "new-app", plan: "standard" });
    const own = asked(account);
    expect(await status(own, "Clubs")).toBe(200);
    expect((await own.submit([card("of-the-new-app")])).status).toBe(201);
    await expect.poll(() => own.states(["of-the-new-app"])).toEqual(["delivered"]);
    const [club] = pipeline.standIn.clubs;
    const courses = `Clubs/${club?.ID}/Courses`;
    expect(await status(own, courses)).toBe(403);

    await command.run(["account", "grant", "new-app", "courses"]);
    expect(await status(own, courses)).toBe(200);
    await command.run(["account", "revoke", "new-app", "clubs", "courses"]);
    expect([await status(own, courses), await status(own, "Clubs")]).toEqual([403, 403]);

    const path = "ScorecardExchange?ExternalID=of-the-new-app";
    const change = async (...options: readonly string[]) => {
      const changed = await command.run(["account", "password", "new-app", "--json", ...options]);
      return asked({ ...account, password: changed.json[0].password });
    };
    // With an overlap no request fails, whenever the vendor's program takes the new password.
    const changing = change("--overlap", "24h");
    const progress = { isChanged: false };
    void changing.finally(() => {
      progress.isChanged = true;
    });
    while (!progress.isChanged) expect(await status(own, path)).toBe(200);
    const next = await changing;
    expect([await status(next, path), await status(own, path)]).toEqual([200, 200]);
    const renewed = await change();
    expect([await status(own, path), await status(next, path), await status(renewed, path)]).toEqual([
      401, 401, 200,
    ]);
    const disabled = await command.run(["account", "disable", "new-app"]);
    expect(disabled.stdout).toContain("new-app is disabled");
    expect(await status(renewed, path)).toBe(401);
    await command.run(["account", "enable", "new-app"]);
    expect(await status(renewed, path)).toBe(200);
    expect((await command.run(["account", "plan", "new-app", "tournament"])).code).toBe(0);
    expect(await status(renewed, path)).toBe(200);

    const listed = await command.run(["account", "list", "--json"]);
    const shown = { username: "new-app", apiSet: "new-app", plan: "tournament", disabled: false };
    expect(listed.json[0]).toContainEqual({ ...shown, resources: ["scorecards"] });
    expect(listed.stdout).not.toMatch(/scrypt|password|key/i);
    expect((await command.run(["account", "list"])).stdout).toMatch(
      /Usage plan +│ State +│.* new-app .* scorecards .* tournament +│ enabled /s,
    );
  });

  test("an account is removed once it is disabled, with its key and its secret, and can be added again", async () => {
    const union = { SCORECARDS_UNION_PASSWORD: "first password" };
    const added = await command.run(["account", "add", "leaving-app", "--json"], union);
    const endpoint = await startEndpoint();
    onTestFinished(() => endpoint.stop());
    const made = await fetch(`${pipeline.machine.run.api}/leaving-app/Webhooks`, {
      method: "POST",
      headers: { Authorization: `Basic ${btoa(`leaving-app:${added.json[0].password}`)}` },
      body: JSON.stringify({ url: endpoint.url }),
    });
    expect(made.status).toBe(201);
    const keptSince = async () =>
      (await command.run(["account", "webhooks", "leaving-app", "--json"])).json[0][0].keptSince;
    const keyNames = async () => {
      const query = new GetApiKeysCommand({ nameQuery: "scorecards-test-leaving" });
      const { items = [] } = await gateway.send(query);
      return items.map(({ name }) => name);
    };
    const SecretId = "scorecards/test/vendor/leaving-app";
    const readSecret = () => secrets.send(new GetSecretValueCommand({ SecretId }));

    const refused = await command.run(["account", "remove", "leaving-app"]);
    const disable = "npm run scorecards -- account disable leaving-app";
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(disable)]);
    await command.run(["account", "disable", "leaving-app"]);
    expect(await keptSince()).toEqual(expect.any(String));
    const removed = await command.run(["account", "remove", "leaving-app"]);
    expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining("leaving-app is removed")]);
    expect(await keyNames()).toEqual([]);
    await expect(readSecret()).rejects.toThrow("marked for deletion");

    const again = { SCORECARDS_UNION_PASSWORD: "second password" };
    expect((await command.run(["account", "add", "leaving-app"], again)).code).toBe(0);
    expect((await readSecret()).SecretString).toContain("second password");
    expect(await keyNames()).toEqual(["scorecards-test-leaving-app-standard"]);
    // Its events, which were kept while the account was disabled, are sent again.
    expect(await keptSince()).toBeUndefined();
  });

  test("accounts share an API set and its credentials at the union, which go with the last of them", async () => {
    const { account, submit } = await pipeline.createVendor();
    const { apiSet } = account;
    const add = (name: string, ...options: readonly string[]) =>
      command.run(["account", "add", name, "--api-set", apiSet.toUpperCase(), "--json", ...options]);
    const [office] = (await add("office", "--resources", "scorecards")).json;
    expect(office).toMatchObject({ apiSet });
    expect((await submit([card("of-both")])).status).toBe(201);
    expect(await status(asked(office), "ScorecardExchange/of-both")).toBe(200);
    const unnamed = await command.run(["account", "add", apiSet.toUpperCase()]);
    expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining("exists already")]);
    const SecretId = `scorecards/test/vendor/${apiSet}`;
    for (const name of ["office", account.username]) {
      await command.run(["account", "disable", name]);
      await expect
        .poll(async () => (await command.run(["account", "remove", name])).code, { timeout: 30_000 })
        .toBe(0);
      const [read] = await Promise.allSettled([secrets.send(new GetSecretValueCommand({ SecretId }))]);
      expect(read.status).toBe(name === "office" ? "fulfilled" : "rejected");
    }
  });

  test("an account whose cards wait is not removed: their delivery needs its credentials", async () => {
    const { account, submit, states } = await pipeline.createVendor();
    const { username } = account;
    await hold();
    expect((await submit([card("waits-for-account")])).status).toBe(201);
    await command.run(["account", "disable", username]);
    const refused = await command.run(["account", "remove", username]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("1 card of")]);
    await command.run(["account", "enable", username]);
    await command.run(["release"]);
    await expect.poll(() => states(["waits-for-account"])).toEqual(["delivered"]);
    await command.run(["account", "disable", username]);
    expect((await command.run(["account", "remove", username])).code).toBe(0);
  });

  test("a change whose cache flush fails says so, and leaves no second key once it is repeated", async () => {
    await command.run(["account", "add", "twice-app", "--resources", "clubs"]);
    const { run } = pipeline.machine;
    const runFile = join(command.folder, "refusing.json");
    const apiGateway = await gatewayWithoutFlush(run.apiGateway);
    onTestFinished(() => apiGateway.stop());
    await writeRunFile(runFile, "refusing", { ...run, apiGateway: apiGateway.address }, []);
    const plan = ["account", "plan", "twice-app", "tournament"];
    const failed = await command.run(plan, { SCORECARDS_LOCAL_RUN: runFile });
    expect([failed.code, failed.stderr]).toEqual([2, expect.stringContaining("Run the same command again")]);
    expect((await command.run(plan)).code).toBe(0);
    const { items = [] } = await gateway.send(new GetApiKeysCommand({ nameQuery: "scorecards-test-twice" }));
    expect(items.map(({ name }) => name)).toEqual(["scorecards-test-twice-app-tournament"]);
  });

  test("an account's password at the union is read from stdin and encrypted with the stage's own key, and none is needed for clubs and courses", async () => {
    const piped = await command.run(["account", "add", "piped-app"], {}, "secret-of-the-union\n");
    expect(piped.code).toBe(0);
    const stored = new DescribeSecretCommand({ SecretId: "scorecards/test/vendor/piped-app" });
    expect((await secrets.send(stored)).KmsKeyId).toBe("alias/scorecards-test");
    expect(piped.stdout + piped.stderr).not.toContain("secret-of-the-union");
    const { api } = pipeline.machine.run;
    expect(piped.stdout).toContain(`Base address    ${api}\n`);
    expect(piped.stdout).toContain(`Vendor address  ${api}/piped-app\n`);
    const without = await command.run(["account", "add", "without-app"]);
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("SCORECARDS_UNION_PASSWORD")]);
    const reader = await command.run("account add reader --resources clubs courses --club 1".split(" "));
    expect([reader.code, reader.stdout]).toEqual([0, expect.stringMatching(/clubs, courses\nClub +1 \(/)]);
    const every = await command.run(["account", "grant", "reader", "operations"]);
    expect([every.code, every.stderr]).toEqual([2, expect.stringContaining("bound to a club")]);
    const operator = await command.run(["account", "add", "on-call", "--operator"]);
    const mayUse = expect.stringContaining("May use         operations\n");
    expect([operator.code, operator.stdout]).toEqual([0, mayUse]);
    const grant = await command.run(["account", "grant", "reader", "scorecards"]);
    expect(grant.code).toBe(2);
    const mirroring = ["account", "mirror", "pipeline-mirror"];
    const vendors = ["account", "union", "reader", "--union-username", "pipeline-mirror"];
    for (const change of [mirroring, vendors]) {
      const wrong = await command.run(change, {}, "x\n");
      const said = expect.stringContaining("refuses pipeline-mirror with 401. Nothing is stored");
      expect([wrong.code, wrong.stderr]).toEqual([2, said]);
    }
    const right = [...vendors, "--union-api-set", "pipeline-mirror"];
    expect((await command.run(right, {}, "pipeline-mirror-demo\n")).code).toBe(0);
    const mirror = { SCORECARDS_UNION_PASSWORD: "pipeline-mirror-demo" };
    expect((await command.run(mirroring, mirror)).code).toBe(0);
    await expect(pipeline.machine.run.invoke("mirror-courses", { pass: "changes" })).resolves.toBeDefined();
    const folder = join(command.folder, "corrections");
    const listed = await command.run(["mirror", "--findings", folder]);
    const [file = "", ...others] = await readdir(folder);
    expect([listed.code, listed.stderr]).toEqual([1, `${others.length + 1} files written to ${folder}.\n`]);
    const [heads, first] = (await readFile(join(folder, file), "utf8")).split("\r\n");
    expect(heads).toBe('\ufeff"Course";"Version";"To be corrected"');
    expect(listed.stdout).toContain(first?.split(";")[1]?.replaceAll('"', ""));
  });

  test.each([
    [["add", "greens-app"], "The account greens-app exists already"],
    [["add", "Greens-App"], "The account greens-app exists already"],
    [["add", "Portal"], "no name of a path"],
    ...["a:b", "greens-аpp", "greens-app ", "greens-app\u202e"].map(
      (name) => [["add", name], "The user name is invalid"] as [string[], string],
    ),
    [["password", "greens-app", "--overlap", "169h"], "a week at most"],
    [["add", "with space"], "--api-set"],
    [["add", "x", "--plan", "unlimited"], "Allowed choices are standard, tournament"],
    [["grant", "greens-app", "everything"], "Allowed choices are clubs"],
    [["disable", "nobody"], "There is no account nobody"],
  ])("%j is refused with an error that says why", async (parameters, said) => {
    const { code, stderr } = await command.run(["account", ...parameters], {
      SCORECARDS_UNION_PASSWORD: "x",
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });
});

describe("the smoke test", () => {
  test("the smoke test works with an API address and an account, and prints JSON", async () => {
    const credentials = { SCORECARDS_USERNAME: "fairway-live", SCORECARDS_PASSWORD: "fairway-live-demo" };
    const smoke = ["smoke", "--api", pipeline.machine.run.api, "--json"];
    const { code, json } = await command.run(smoke, credentials);
    const bad = { status: 422, faults: ["strokes_count"] };
    expect([code, json[0]]).toMatchObject([0, { passed: true, good: { state: "delivered" }, bad }]);
  });

  test.each([
    ["an address with the API set", "/test/greens-app", "greens-app-demo", 404],
    ["an address without the stage", "", "greens-app-demo", 403],
    ["a wrong password", "/test", "wrong", 401],
  ])(
    "the smoke test with %s ends with an error that says what to check",
    async (_, path, SCORECARDS_PASSWORD, status) => {
      const api = new URL(pipeline.machine.run.api).origin + path;
      const credentials = { SCORECARDS_USERNAME: "greens-app", SCORECARDS_PASSWORD };
      const { code, stderr } = await command.run(["smoke", "--api", api], credentials);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`HTTP ${status}`)]);
      const form = `Check the base address ${api}: it has the form https://{host}/{stage}`;
      if (status !== 401) expect(stderr).toContain(form);
    },
  );

  test("the smoke test fails if the good card is refused, and says so", async () => {
    const { code, stdout } = await command.run(["smoke", "--player", "bad"]);
    const wrong = "WRONG  the good card was refused: union_id_invalid";
    expect([code, stdout]).toEqual([1, expect.stringContaining(wrong)]);
  });
});

test("events of a disabled account are kept, the operator removes the endpoint that is not the vendor's, and the others get events again once it is enabled", async () => {
  const vendor = await pipeline.createVendor();
  const { username, apiSet } = vendor.account;
  const [own, thiefs] = [await startEndpoint(), await startEndpoint()];
  onTestFinished(async () => {
    await own.stop();
    await thiefs.stop();
  });
  const subscribe = async ({ url }: { url: string }) =>
    (await vendor.ask("POST", "Webhooks", JSON.stringify({ url, types: ["scorecard.delivered"] }))).body.id;
  const [ownId, thiefsId] = [await subscribe(own), await subscribe(thiefs)];
  await hold();
  await vendor.submit([card("kept-event")]);
  const disabled = await command.run(["account", "disable", username]);
  await command.run(["release"]);
  expect(disabled.stdout).toContain("Events for its 2 webhook endpoints are kept");
  const list = async () =>
    (await command.run(["account", "webhooks", username, "--json"])).json[0].map(
      ({ id, pending }: { id: string; pending: number }) => [id, pending],
    );
  await expect.poll(list).toEqual([
    [ownId, 1],
    [thiefsId, 1],
  ]);
  const { stdout } = await command.run(["account", "webhooks", username]);
  expect(stdout).toContain(thiefs.url);
  expect(stdout).not.toContain("whsec_");
  expect(own.received).toEqual([]);
  // It had failed when the account was disabled: that is not held against it once events are sent again.
  const { WebhookTableName = "" } = pipeline.machine.run.outputs;
  const endpoints = webhookTable(WebhookTableName, dynamodb);
  const findOwn = () => endpoints.find(apiSet as ApiSet, ownId);
  const failing = { since: Date.now(), failures: 9, nextAttemptAt: 0, message: "down" };
  const fail = async () => {
    const found = await findOwn();
    expect(found && (await endpoints.update(found, { failing }))).toBeDefined();
  };
  await fail();
  const remove = ["account", "webhooks", username, "--remove", thiefsId];
  expect((await command.run(remove)).stdout).toContain("is removed");
  expect(await list()).toEqual([[ownId, 1]]);
  expect((await command.run(remove)).code).not.toBe(0);
  expect((await command.run(["account", "enable", username])).stdout).not.toContain("are kept");
  expect((await findOwn())?.failing).toBeUndefined();
  // An endpoint whose events were not kept fails as before.
  await fail();
  await command.run(["account", "enable", username]);
  expect((await findOwn())?.failing).toEqual(failing);
  // What was kept comes within a quarter of an hour; the tests of its parts show that.
  await vendor.submit([card("after-enabling")]);
  await expect.poll(() => own.received.map(({ body }) => body).join()).toContain("after-enabling");
  expect(thiefs.received).toEqual([]);
});
