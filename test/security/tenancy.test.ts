import pMap from "p-map";
import { beforeAll, describe, expect, test } from "vitest";
import { findGrant, findOperation, type Route, routes } from "../../api/routes.ts";
import { guidKey } from "../../core/formats/identifiers.ts";
import { dayOf } from "../../core/formats/union-time.ts";
import { type DemoAccount, demoOperator } from "../../local/pipeline/demo-accounts.ts";
import { minimalCard, playableTee } from "../../local/pipeline/minimal-card.ts";
import { apiPaths } from "../end-to-end/api-paths.ts";
import { providePipeline, readPages, sharedPipeline, type Vendor } from "../end-to-end/pipeline.ts";
import { assemblyOf } from "../synthesized-stack.ts";

const pipeline = await providePipeline(sharedPipeline);
const vendors = [pipeline.vendor(0), pipeline.vendor(1), pipeline.vendor(2)];

/** What is only a vendor's own: in the comment of its cards. */
const markOf = ({ apiSet }: DemoAccount) => `only ${apiSet} may read this`;
/** Both vendors give cards this name, and each one of its own. */
const cardNames = (account: DemoAccount) => ["same-name", `card-of-${account.apiSet}`];
const submission = (account: DemoAccount, name: string) => [
  minimalCard(pipeline.standIn, { ExternalID: name, Comment: markOf(account) }),
];

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/** What a vendor gets that may: no more than these, by method and path in lower case. */
const granted: Readonly<Record<string, readonly number[]>> = {
  "GET /clubs": [200],
  "GET /clubs/{clubid}": [200],
  "GET /clubs/{clubid}/courses": [200],
  "GET /clubs/{clubid}/courses/{courseid}": [200],
  "GET /clubs/golfer": [200],
  // The token is no player's: the union refuses it.
  "GET /clubs/golfer_byaccesstoken": [403],
  "GET /clubs/{clubid}/memberships/scorecards": [200],
  "POST /clubs/members/exchangedscorecards": [201],
  "POST /scorecardexchange": [201],
  "GET /scorecardexchange": [200],
  "GET /activity": [200],
  "GET /refusals": [200],
  "GET /tournaments": [200],
  // Its cards name no tournament.
  "GET /tournaments/{tournament}": [404],
  "GET /tournaments/{tournament}/scorecards": [200],
  "GET /events": [200],
  "GET /webhooks": [200],
  // A submission is no endpoint, and the path names none.
  "POST /webhooks": [400],
  "GET /webhooks/{webhookid}": [404],
  "PUT /webhooks/{webhookid}": [404],
  "DELETE /webhooks/{webhookid}": [404],
  "POST /webhooks/{webhookid}/test": [404],
  "POST /webhooks/{webhookid}/secret": [404],
  "POST /webhooks/{webhookid}/replay": [404],
  "GET /webhooks/{webhookid}/attempts": [404],
  "GET /webhooks/{webhookid}/attempts/{attemptid}": [404],
  "POST /webhooks/{webhookid}/attempts/{attemptid}/resend": [404],
  "POST /scorecardexchange/validate": [200],
  "GET /scorecardexchange/{externalid}": [200],
  "GET /scorecardexchange/{externalid}/card": [200],
  // A card that has been delivered cannot be withdrawn any more.
  "DELETE /scorecardexchange/{externalid}": [204, 409],
  // Nor is it tried once more.
  "POST /scorecardexchange/{externalid}/delivery": [202, 409],
};

interface Asked {
  readonly method: string;
  /** Route below the API set. */
  readonly route: string;
  readonly account: DemoAccount;
  readonly password: string | undefined;
  /** In the path. */
  readonly apiSet: string;
  /** A card that the path or query names. */
  readonly cardName: string;
}

interface Request extends Asked {
  /** Whether the path has the method. */
  readonly has: boolean;
}

/** The status with which a request is refused before any code of the API's runs; undefined where it is let through. */
function refusal({ method, route, account, password, apiSet, has }: Request): number | undefined {
  if (!has) return 404;
  if (password !== account.password) return 401;
  const operation = findOperation(method, `/{apiset}${route}`);
  const { resource }: Partial<Route> = operation === undefined ? {} : routes[operation];
  const isGranted = resource !== undefined && account.resources.includes(resource);
  return apiSet === account.apiSet && isGranted ? undefined : 403;
}

/** What the table says: the statuses that a request may be answered. */
function expected(request: Request): readonly number[] {
  const refused = refusal(request);
  if (refused !== undefined) return [refused];
  return granted[`${request.method} ${request.route.toLowerCase()}`] ?? [];
}

async function send({ method, route, account, password, apiSet, cardName }: Asked) {
  const { standIn, machine } = pipeline;
  const { course } = playableTee(standIn);
  const ofClub = standIn.members.flatMap(({ Memberships }) => Memberships);
  const membership = ofClub.find(({ Club }) => Club.ID === course.ClubID);
  const isRecord = /memberships\/scorecards$/i.test(route);
  const path = route
    .replace("{clubId}", course.ClubID)
    .replace("{courseId}", course.ID)
    .replace("{externalId}", cardName);
  const isExchange = /scorecardexchange$/i.test(route);
  const isOfPlayer = isRecord || /golfer$/i.test(route);
  const query = isExchange ? `?ExternalID=${cardName}` : isOfPlayer ? `?unionID=${membership?.UnionID}` : "";
  const credentials = Buffer.from(`${account.username}:${password}`).toString("base64");
  const response = await fetch(`${machine.run.api}/${apiSet}${path}${query}`, {
    method,
    headers: {
      "Content-Type": "application/json",
      Token: "not-a-token",
      ...(password !== undefined && { Authorization: `Basic ${credentials}` }),
    },
    ...(["POST", "PUT", "PATCH"].includes(method) && { body: JSON.stringify(submission(account, cardName)) }),
  });
  return { status: response.status, text: await response.text() };
}

/**
 * Every request of the table: each path and method, by each account, by nobody and with a wrong password, for its own API set and the
 * others'. A method that a path has not is looked up before accounts are, so it is tried for each account's own API set only. Another
 * spelling of a path is tried with the methods that it has, for an account's own API set and the next one's.
 */
async function everyRequest(): Promise<Request[]> {
  const paths = apiPaths(await assemblyOf()).filter(({ path }) => path.startsWith("/{apiset}/"));
  const spellings = Map.groupBy(paths, ({ path }) => path.toLowerCase());
  return paths.flatMap(({ path, methods: known }) => {
    const isFirst = spellings.get(path.toLowerCase())?.[0]?.path === path;
    const route = path.replace("/{apiset}", "");
    return methods.flatMap((method) => {
      const has = known.has(method);
      if (!has && !isFirst) return [];
      return vendors.flatMap(({ account }, place) => {
        const next = vendors[(place + 1) % vendors.length] as Vendor;
        const wrong = ["wrong", "", next.account.password, `${account.password} `];
        const others = isFirst ? vendors.filter((other) => other.account !== account) : [next];
        const requestTo = (owner: DemoAccount, password?: string): Request => {
          const [, cardName = ""] = cardNames(owner);
          return { method, route, account, password, apiSet: owner.apiSet, cardName, has };
        };
        return [
          requestTo(account, account.password),
          ...((isFirst && has) || place === 0 ? [requestTo(account)] : []),
          ...(isFirst && has ? [requestTo(account, wrong[(route.length + place) % wrong.length])] : []),
          ...(has ? others.map((other) => requestTo(other.account, account.password)) : []),
        ];
      });
    });
  });
}

const told = ({ method, route, account, password, apiSet }: Asked) =>
  `${method} /${apiSet}${route} by ${password === undefined ? "nobody" : account.username}`;

describe("with three accounts", () => {
  beforeAll(async () => {
    for (const vendor of vendors.slice(0, 2)) {
      for (const name of cardNames(vendor.account)) {
        expect((await vendor.submit(submission(vendor.account, name))).status).toBe(201);
      }
    }
  });

  test("every path, method and account gives what the table says, and nothing of another vendor's; the code behind a refused path never runs", async () => {
    const requests = await everyRequest();
    expect(requests.length).toBeGreaterThan(1000);
    console.log(`${requests.length} requests of three accounts`);
    const wrong: string[] = [];
    const seen = new Set<number>();
    const marks = new Set<string>();
    const sendAll = (some: readonly Request[]) =>
      pMap(
        some,
        async (request) => {
          const { status, text } = await send(request);
          seen.add(status);
          if (!expected(request).includes(status)) wrong.push(`${told(request)}: ${status}`);
          for (const { account } of vendors) {
            if (!text.includes(markOf(account))) continue;
            marks.add(account.apiSet);
            if (account !== request.account || request.password !== account.password)
              wrong.push(`${told(request)} read a card of ${account.apiSet}`);
          }
        },
        { concurrency: 8 },
      );
    const refused = requests.filter((request) => refusal(request) !== undefined);
    expect(refused.length).toBeGreaterThan(500);
    const before = invocations();
    await sendAll(refused);
    expect(invocations()).toEqual(before);
    // What runs is counted.
    await vendors[2]?.ask("GET", "Clubs");
    expect(invocations()["read-courses"]).toBe((before["read-courses"] ?? 0) + 1);
    await sendAll(requests.filter((request) => refusal(request) === undefined));
    expect(wrong).toEqual([]);
    // The table is one of these, and marks are there to be found.
    expect([...seen]).toEqual(expect.arrayContaining([200, 201, 401, 403, 404]));
    expect(marks.size).toBe(2);
  });
});

/** How often each function behind a vendor's path has run. */
function invocations(): Record<string, number> {
  const { metrics, resource } = pipeline.machine.run;
  const behind =
    "read-courses read-members change-delivery submit-scorecards track-scorecards validate-scorecards";
  const counts = behind.split(" ").map((name) => {
    const dimensions = { FunctionName: resource(name) };
    const metric = { namespace: "AWS/Lambda", name: "Invocations", dimensions };
    return [name, metrics.values(metric, 0, Number.POSITIVE_INFINITY).length];
  });
  return Object.fromEntries(counts);
}

/** The own requests of an account in one spelling of each path, as another account of its API set sends them. */
async function requestsBy({ account }: Vendor, as: DemoAccount): Promise<Request[]> {
  const own = (await everyRequest()).filter(
    (one) =>
      one.has && one.account === account && one.apiSet === account.apiSet && one.password !== undefined,
  );
  const byRoute = new Map(own.map((one) => [`${one.method} ${one.route.toLowerCase()}`, one]));
  return [...byRoute.values()].map((one) => ({ ...one, account: as, password: as.password }));
}

const reader = async ({ account: { apiSet } }: Vendor) =>
  pipeline.createVendor({ apiSet, resources: ["scorecards:read"] });

/** What an account gets that is bound to another club than that of the cards. No bound account may use what is left out. */
const atOtherClub: Readonly<Record<string, number>> = {
  "GET /clubs": 200,
  "GET /clubs/{clubid}": 200,
  "GET /clubs/{clubid}/courses": 200,
  "GET /clubs/{clubid}/courses/{courseid}": 200,
  "GET /clubs/golfer": 403,
  "GET /clubs/{clubid}/memberships/scorecards": 403,
  "POST /clubs/members/exchangedscorecards": 422,
  "POST /scorecardexchange": 422,
  "POST /scorecardexchange/validate": 200,
  "GET /scorecardexchange": 200,
  "GET /scorecardexchange/{externalid}": 404,
  "GET /scorecardexchange/{externalid}/card": 404,
  "DELETE /scorecardexchange/{externalid}": 404,
  "POST /scorecardexchange/{externalid}/delivery": 404,
  "GET /tournaments": 200,
  "GET /tournaments/{tournament}": 404,
  "GET /tournaments/{tournament}/scorecards": 200,
};

const theirClub = guidKey(playableTee(pipeline.standIn).course.ClubID);

/** Makes an account of a vendor's API set that is bound to the club of the cards, or to another. */
const boundTo =
  (isTheirs: boolean) =>
  ({ account: { apiSet } }: Vendor) => {
    const of = pipeline.standIn.clubs.find(({ ID }) => (guidKey(ID) === theirClub) === isTheirs);
    const club = { id: guidKey(of?.ID ?? ""), number: of?.UnionNumber ?? 0 };
    return pipeline.createVendor({ apiSet, club });
  };

test.each([
  [
    "an account that only reads shares its API set's cards, and sends, changes and looks up nothing",
    reader,
    9,
  ],
  [
    "an operator's account may use nothing of a vendor's",
    async ({ account: { apiSet } }: Vendor) => ({ account: { ...demoOperator, apiSet } }),
    0,
  ],
  ["an account that is bound to the club of the cards has them, and the club's members", boundTo(true), 17],
  ["an account that is bound to another club finds and changes none of the cards", boundTo(false), 17],
])("%s", async (_, accountFor, read) => {
  const vendor = vendors[0] as Vendor;
  const { account } = await accountFor(vendor);
  const requests = await requestsBy(vendor, account);
  const keyOf = ({ method, route }: Request) => `${method} ${route.toLowerCase()}`;
  const isOther = account.club !== undefined && account.club.id !== theirClub;
  const isGranted = (request: Request) => {
    const operation = findOperation(request.method, `/{apiset}${request.route}`);
    const isForClub = account.club === undefined || keyOf(request) in atOtherClub;
    return isForClub && operation !== undefined && findGrant(routes[operation], account.resources);
  };
  expect(requests.filter(isGranted)).toHaveLength(read);
  let marked = 0;
  for (const request of requests) {
    const { status, text } = await send(request);
    const key = keyOf(request);
    const statuses = !isGranted(request) ? [403] : isOther ? [atOtherClub[key]] : granted[key];
    expect([told(request), statuses]).toEqual([told(request), expect.arrayContaining([status])]);
    if (text.includes(markOf(vendor.account))) marked += 1;
  }
  expect(marked > 0).toBe(read > 0 && !isOther);
});

test("lists and tournaments of an account that is bound to a club have the club's cards only", async () => {
  const vendor = vendors[0] as Vendor;
  const [{ Round, ...card }] = submission(vendor.account, "of-a-cup") as [ReturnType<typeof minimalCard>];
  await vendor.submit([{ ...card, Round: { ...Round, TournamentName: "Cup of a club" } }]);
  const read = async (by: Vendor) => {
    const [from, to] = [1, 0].map((days) => dayOf(Date.now() - days * 86_400_000, "Europe/Copenhagen"));
    const days = `?from=${from}&to=${to}`;
    const accepted = await readPages(by, `ScorecardExchange${days}`, "cards");
    const { tournaments } = (await by.ask("GET", "Tournaments")).body;
    const { totals } = (await by.ask("GET", "Tournaments/Cup%20of%20a%20club")).body;
    const { cards } = (await by.ask("GET", "Tournaments/Cup%20of%20a%20club/Scorecards")).body;
    const named = tournaments.filter((one: { name?: string }) => one.name === "Cup of a club");
    const isListed = accepted.some(({ externalId }) => externalId === "of-a-cup");
    return [isListed, named.length, totals?.cards, cards.length];
  };
  await expect.poll(() => read(vendor)).toEqual([true, 1, 1, 1]);
  expect(await read(await boundTo(true)(vendor))).toEqual([true, 1, 1, 1]);
  expect(await read(await boundTo(false)(vendor))).toEqual([false, 0, undefined, 0]);
});

test("an API set may be an e-mail address, which is one in any case, and is nobody else's", async () => {
  const [{ account: other }] = vendors as [Vendor];
  const apiSet = "Pro+app@club.example";
  const { account } = await pipeline.createVendor({ apiSet, resources: ["clubs"] });
  const ask = async (asking: DemoAccount, spelling: string) => {
    const asked = { method: "GET", route: "/Clubs", password: asking.password, cardName: "" };
    return (await send({ ...asked, account: asking, apiSet: spelling })).status;
  };
  for (const spelling of [apiSet, apiSet.toLowerCase(), apiSet.toUpperCase()]) {
    for (const written of [spelling, encodeURIComponent(spelling)]) {
      expect([written, await ask(account, written)]).toEqual([written, 200]);
      expect([written, await ask(other, written)]).toEqual([written, 403]);
    }
  }
  const spaces = ["Pro app@club.example", "pro%2Bapp@club.example%20"];
  for (const odd of [other.apiSet, ...spaces, `${apiSet}.dk`, `x${apiSet}`])
    expect([odd, await ask(account, odd)]).toEqual([odd, 403]);
});

test("two vendors' cards of one name are two cards, and each reads its own", async () => {
  const both = vendors.slice(0, 2);
  const ids = await Promise.all(
    both.map(async ({ account, submit }) => (await submit(submission(account, "same-name"))).body[0].ID),
  );
  expect(new Set(ids).size).toBe(2);
  expect(await Promise.all(both.map(async ({ status }) => (await status("same-name")).id))).toEqual(ids);
});

describe("an operator's account", () => {
  const overview = ({ username, password }: DemoAccount, path = "Operations/Overview") => {
    const Authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
    return pipeline.ask("GET", path, undefined, { Authorization });
  };

  test("shows all vendors' counts, and none of their cards", async () => {
    const { status, text, body } = await overview(demoOperator);
    expect(status).toBe(200);
    const apiSets = vendors.slice(0, 2).map(({ account }) => account.apiSet);
    expect(body.vendors.map(({ apiSet }: { apiSet: string }) => apiSet)).toEqual(
      expect.arrayContaining(apiSets),
    );
    expect(body).toMatchObject({ delivery: { held: false }, queue: { deadLetters: 0 } });
    // The run is shared with files whose vendors' exchange is down.
    const own = body.breakers.filter(({ apiSet }: { apiSet: string }) => apiSets.includes(apiSet as never));
    expect(own).toEqual([]);
    for (const { account } of vendors) expect(text).not.toContain(markOf(account));
    expect((await overview(demoOperator, "operations/overview")).status).toBe(200);
  });

  test("is what the overview needs: no vendor's will do, nor no account", async () => {
    for (const { account } of vendors) expect((await overview(account)).status).toBe(403);
    expect((await overview({ ...demoOperator, password: "wrong" })).status).toBe(401);
    expect((await pipeline.ask("GET", "Operations/Overview")).status).toBe(401);
  });
});
