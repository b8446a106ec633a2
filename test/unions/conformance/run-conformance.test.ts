import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { demoAccounts, type StandIn, startStandIn } from "@scorecard-pipeline/stand-in";
import { afterAll, beforeAll, expect, test } from "vitest";
import { conformanceTable, runConformance } from "../../../unions/conformance/run-conformance.ts";
import { denmark } from "../../../unions/denmark.ts";

/** A request on its way to the stand-in, and what comes back. */
interface Passed {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  status: number;
  answer: string;
  authenticate: string | undefined;
}

/** One thing that another union does: a change of the request or of the response. */
interface Deviation {
  readonly does: string;
  /** The assumption that has to be named. */
  readonly named: string;
  readonly request?: (passed: Passed) => void;
  readonly response?: (passed: Passed) => void;
}

let union: StandIn;
let proxy: Server;
let deviation: Deviation | undefined;

beforeAll(async () => {
  const options = { port: 0, seed: 1, clubs: 12, members: 60, accounts: demoAccounts, now: () => new Date() };
  union = await startStandIn({ ...options, processingInterval: 20 });
  proxy = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const sent = ["authorization", "content-type", "accept", "token"].flatMap((name) =>
        request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]],
      );
      const passed: Passed = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: Object.fromEntries(sent),
        body: Buffer.concat(chunks).toString(),
        status: 0,
        answer: "",
        authenticate: undefined,
      };
      deviation?.request?.(passed);
      if (passed.status === 0) {
        const { method, headers, body } = passed;
        const answer = await fetch(union.address + passed.path, {
          method,
          headers,
          ...(body !== "" && { body }),
        });
        passed.status = answer.status;
        passed.answer = await answer.text();
        passed.authenticate = answer.headers.get("www-authenticate") ?? undefined;
      }
      deviation?.response?.(passed);
      response.writeHead(passed.status, {
        "Content-Type": "application/json",
        ...(passed.authenticate !== undefined && { "WWW-Authenticate": passed.authenticate }),
      });
      response.end(passed.answer);
    })();
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  proxy.close();
  proxy.closeAllConnections();
  await union.stop();
});

const players = () => union.members.flatMap(({ Memberships }) => Memberships[0]?.UnionID ?? []);

function run(changes: Partial<Parameters<typeof runConformance>[0]> = {}) {
  const [player] = players();
  return runConformance({
    union: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    username: "greens-app",
    password: "greens-app-demo",
    apiSet: "greens-app",
    recordsApiSet: denmark.records?.apiSet,
    exchangePath: denmark.exchangePath,
    timeZone: denmark.timeZone,
    player,
    recordWait: { milliseconds: 5_000, pause: 10 },
    withCards: true,
    now: new Date(),
    ...changes,
  });
}

const differing = (results: Awaited<ReturnType<typeof run>>) =>
  results.flatMap(({ name, outcome, detail }) => (outcome === "differs" ? [`${name}: ${detail}`] : []));

const isClubs = ({ path }: Passed) => /^\/greens-app\/Clubs$/.test(path);
const isCourses = ({ path }: Passed) => /\/courses(\?|$)/i.test(path);
const isExchange = ({ method }: Passed) => method === "POST";
const isMember = ({ path }: Passed) => /\/Golfer\?/.test(path);

/** Changes each entry of a list, or the one object, of a response with status 200. */
// biome-ignore lint/suspicious/noExplicitAny: a deviation changes any shape
const changed = (isOne: (passed: Passed) => boolean, change: (entry: any) => unknown) => (passed: Passed) => {
  if (!isOne(passed) || passed.status !== 200) return;
  const json = JSON.parse(passed.answer);
  passed.answer = JSON.stringify(Array.isArray(json) ? json.map(change) : change(json));
};
const refused = (isOne: (passed: Passed) => boolean, status: number) => (passed: Passed) => {
  if (!isOne(passed)) return;
  passed.status = status;
  passed.answer = '{"Message":"No."}';
};
const without = (name: string) => (passed: Passed) => {
  const [path, query = ""] = passed.path.split("?");
  const kept = new URLSearchParams(query);
  kept.delete(name);
  passed.path = kept.size === 0 ? String(path) : `${path}?${kept}`;
};
const answers = (from: number, to: number, isOne: (passed: Passed) => boolean) => (passed: Passed) => {
  if (passed.status === from && isOne(passed)) passed.status = to;
};

const deviations: readonly Deviation[] = [
  {
    does: "has no ShortName",
    named: "Clubs: a list",
    response: changed(isClubs, ({ ShortName: _, ...club }) => club),
  },
  {
    does: "has numbers as IDs",
    named: "Clubs: IDs are GUIDs",
    response: changed(isClubs, (club) => ({ ...club, UnionNumber: "12" })),
  },
  { does: "leaves nulls out", named: "Nulls:", response: changed(isClubs, ({ Floor: _, ...club }) => club) },
  {
    does: "minds the case of paths",
    named: "Paths in any case",
    request: refused(({ path }) => path.includes("/CLUBS"), 404),
  },
  {
    does: "minds the case of API sets",
    named: "API set in any case",
    request: refused(({ path }) => path.startsWith("/GREENS-APP/"), 403),
  },
  {
    does: "minds empty segments",
    named: "Empty segments",
    request: refused(({ path }) => path.includes("//"), 404),
  },
  {
    does: "demands Token",
    named: "Header Token",
    request: refused(({ headers }) => headers.token === undefined, 500),
  },
  {
    does: "minds the case of IDs",
    named: "One club by its ID",
    request: refused(({ path }) => /\/Clubs\/[^/]*[a-f]/.test(path) && !path.includes("Golfer"), 404),
  },
  {
    does: "answers 500 for an unknown club",
    named: "Errors: an unknown club",
    response: answers(404, 500, ({ path }) => path.includes("/Clubs/0000")),
  },
  {
    does: "names no scheme with 401",
    named: "Errors: wrong credentials",
    response: (passed) => {
      passed.authenticate = undefined;
    },
  },
  {
    does: "answers 404 for another API set",
    named: "Errors: another API set",
    response: answers(403, 404, () => true),
  },
  {
    does: "has no Version",
    named: "Courses: every version",
    response: changed(isCourses, ({ Version: _, ...version }) => version),
  },
  {
    does: "writes times in ISO 8601",
    named: "Courses: times are",
    response: changed(isCourses, (version) => ({ ...version, ActivationDate: "2026-04-01T00:00:00" })),
  },
  {
    does: "dates courses in another zone",
    named: "Courses: ActivationDate is midnight",
    response: changed(isCourses, (version) => ({ ...version, ActivationDate: "20260401T120000" })),
  },
  {
    does: "has ratings as they are",
    named: "Courses: ratings",
    response: changed(isCourses, (version) => ({
      ...version,
      Tees: version.Tees.map((tee: { readonly CourseRating: string }) => ({
        ...tee,
        CourseRating: Number(tee.CourseRating) / 10_000,
      })),
    })),
  },
  { does: "ignores active", named: "Courses: active", request: without("active") },
  { does: "ignores sort", named: "Courses: sort,", request: without("sort") },
  { does: "ignores sortTee", named: "Courses: sortTee", request: without("sortTee") },
  {
    does: "omits Tees",
    named: "Courses: excludeParams=tees",
    response: changed(
      (one) => one.path.includes("excludeParams"),
      ({ Tees: _, ...version }) => version,
    ),
  },
  {
    does: "shares tees between courses",
    named: "Courses: a tee's ID",
    response: changed(isCourses, (version) => ({ ...version, Tees: [{ ...version.Tees[0], ID: "A" }] })),
  },
  { does: "ignores changedsince", named: "Courses: changedsince", request: without("changedsince") },
  { does: "minds the case of query names", named: "Query names", request: without("EXCLUDEPARAMS") },
  {
    does: "takes any token",
    named: "Golfer_ByAccessToken",
    response: answers(401, 200, ({ path }) => path.includes("ByAccessToken")),
  },
  {
    does: "has handicaps as numbers",
    named: "Golfer: the member",
    response: changed(isMember, (member) => ({ ...member, Handicap: 15.8 })),
  },
  {
    does: "has LifeTimeIDs of 12 digits",
    named: "Golfer: LifeTimeID",
    response: changed(isMember, (member) => ({ ...member, LifeTimeID: "010190000001" })),
  },
  {
    does: "answers nobody with 200",
    named: "Golfer: an unknown player",
    response: answers(404, 200, isMember),
  },
  {
    does: "wants other credentials for records",
    named: "Records:",
    request: refused(({ path }) => path.includes("Memberships/Scorecards"), 401),
  },
  {
    does: "answers a post with an ID only",
    named: "Echo: a minimal card",
    response: changed(isExchange, () => ({ ID: "1" })),
  },
  {
    does: "gives cards IDs of its own",
    named: "Echo: a full card",
    response: changed(isExchange, (card) =>
      card.ID === undefined ? card : { ...card, ID: card.ID.toUpperCase().replace("0", "A") },
    ),
  },
  {
    does: "refuses what it cannot calculate, within a success",
    named:
      "Echo: a card with an unknown tee: status 207, read as unknown: {Rejected: [{ExternalID: string, Status: number}]}",
    response: (passed) => {
      if (!isExchange(passed) || !passed.body.includes("-unknown-tee")) return;
      const [{ ExternalID }] = JSON.parse(passed.body);
      passed.status = 207;
      passed.answer = JSON.stringify({ Rejected: [{ ExternalID, Status: 422 }] });
    },
  },
  {
    does: "refuses repeated IDs",
    named: "Echo: repeated IDs",
    response: (passed) => {
      if (
        isExchange(passed) &&
        passed.body.startsWith("[{") &&
        passed.body.split('"ExternalID"').length === 3 &&
        !passed.body.includes("-full")
      )
        passed.status = 409;
    },
  },
  {
    does: "answers broken JSON with 400",
    named: "Errors: a body that is not JSON",
    response: answers(500, 400, isExchange),
  },
];

test("the stand-in differs in nothing", async () => {
  deviation = undefined;
  const results = await run({ otherPlayer: players()[1] });
  expect(differing(results)).toEqual([]);
  expect(results.every(({ outcome }) => outcome === "holds")).toBe(true);
  expect(conformanceTable(results).split("\n")).toHaveLength(results.length + 2);
});

const ofCorrection = (results: Awaited<ReturnType<typeof run>>) =>
  results.find(({ name }) => name.includes("corrected to another player"));

test("a union that keeps a corrected round in the first player's record is named", async () => {
  deviation = undefined;
  union.faults.keepFirstPlayer = true;
  const results = await run({ otherPlayer: players()[1] });
  union.faults.keepFirstPlayer = false;
  expect(ofCorrection(results)).toMatchObject({
    outcome: "differs",
    detail: "both players' records have the round",
  });
});

test("a record that a round does not come into in time is no difference", async () => {
  deviation = undefined;
  // Of a time at which no other run of these tests was.
  const now = new Date(Date.now() - 3_600_000);
  const name = now.toISOString().slice(0, 19).replaceAll(/\D/g, "");
  Object.assign(union.faults, { unprocessed: [`conformance-${name}-player`] });
  const recordWait = { milliseconds: 50, pause: 10 };
  const results = await run({ otherPlayer: players()[1], recordWait, now });
  Object.assign(union.faults, { unprocessed: [] });
  expect(ofCorrection(results)?.outcome).toBe("not seen");
});

test.each(deviations)("a union that $does is named", async (planted) => {
  deviation = planted;
  const found = differing(await run());
  expect(found.some((line) => line.startsWith(planted.named))).toBe(true);
  // What follows from it may be named, too, but not everything.
  expect(found.length).toBeLessThanOrEqual(7);
});

test("without --cards nothing is posted, and without a player nobody is asked for", async () => {
  const methods: string[] = [];
  const paths: string[] = [];
  deviation = {
    does: "",
    named: "",
    request: ({ method, path }) => {
      methods.push(method);
      paths.push(path);
    },
  };
  const results = await run({ withCards: false, player: undefined });
  expect(new Set(methods)).toEqual(new Set(["GET"]));
  expect(paths.filter((path) => /Golfer\?|Memberships/.test(path))).toEqual([]);
  expect(differing(results)).toEqual([]);
  expect(results.filter(({ outcome }) => outcome === "not asked").length).toBeGreaterThan(5);
});

test("nothing of a person is in the results", async () => {
  deviation = {
    does: "",
    named: "",
    response: changed(isMember, (member) => ({ ...member, Memberships: [] })),
  };
  const text = JSON.stringify(await run());
  const [member] = union.members;
  for (const secret of [member?.LifeTimeID, member?.LastName, member?.Email, "greens-app-demo"]) {
    expect(text).not.toContain(secret);
  }
});
