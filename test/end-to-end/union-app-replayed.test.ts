import { readFileSync } from "node:fs";
import { demoAccounts, type StandIn, startStandIn } from "@scorecard-pipeline/stand-in";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { minimalCard, playableTee } from "../../local/pipeline/minimal-card.ts";
import { type CommandLine, commandLine } from "../command/run-command.ts";
import { type Pipeline, patient, startPipeline } from "./pipeline.ts";

const documented = readFileSync("docs/unions.md", "utf8");

interface Credentials {
  readonly username: string;
  readonly password: string;
}

let pipeline: Pipeline;
let command: CommandLine;
/** The same union as the pipeline's, but one that wants no `Token` where the app sends none: of the pipeline it wants all headers. */
let union: StandIn;
/** The app's accounts: the one with its API set, and the one with the API set of the records; each here and at the union. */
let own: { readonly here: Credentials; readonly there: Credentials };
let records: typeof own;
let token: string;

beforeAll(async () => {
  pipeline = await startPipeline();
  command = await commandLine(pipeline);
  const now = () => new Date();
  union = await startStandIn({
    port: 0,
    seed: 1,
    clubs: 40,
    accounts: demoAccounts,
    continues: pipeline.standIn,
    now,
  });
  const { username, password } = pipeline.vendor(1).account;
  const atUnion = { username, password };
  own = { here: atUnion, there: atUnion };
  // As docs/unions.md says it.
  const line = /scorecards -- (account add union-app-records .+)/.exec(documented)?.[1] ?? "";
  const parameters = line.replace("USERNAME", username).replace(" --stage test", "").split(" ");
  const added = await command.run([...parameters, "--json"], { SCORECARDS_UNION_PASSWORD: password });
  expect([added.code, added.stderr]).toEqual([0, ""]);
  records = { here: added.json[0], there: atUnion };
  const { standIn } = pipeline;
  token = standIn.consent(standIn.members[7]?.LifeTimeID ?? "", username);
  // One round in a record, which shows in both places when the union has processed it.
  const card = minimalCard(standIn, { ExternalID: "recorded", Player: { UnionID: playerOf(9) } });
  // A machine that is busy with starting may answer 503 at first.
  await vi.waitFor(async () => expect((await pipeline.vendor(1).submit([card])).status).toBe(201), patient);
  await vi.waitFor(() => expect(standIn.received).toHaveLength(1), patient);
  await Promise.all([standIn.process(), union.process()]);
});
afterAll(async () => {
  await command?.stop();
  await union?.stop();
  await pipeline?.stop();
});

const playerOf = (place: number) => pipeline.standIn.members[place]?.Memberships[0]?.UnionID ?? "";
const clubOf = (place: number) =>
  (pipeline.standIn.members[place]?.Memberships[0]?.Club.ID ?? "").toLowerCase();

/** What the app sends: below the base address, with its headers. */
interface AppRequest {
  readonly path: () => string;
  /** The account with the app's own API set if left out. */
  readonly as?: "records" | "wrongPassword" | "nobody";
  readonly body?: () => unknown;
  readonly token?: () => string;
}

/** How an answer here may differ; the words are in docs/unions.md. */
interface Difference {
  readonly words: string;
  readonly status?: readonly [there: number, here: number];
  /** What is compared of the bodies, if not all. */
  readonly body?: (body: unknown) => unknown;
}

async function sent(base: string, place: "here" | "there", { path, as, body, token: given }: AppRequest) {
  const { username, password } = (as === "records" ? records : own)[place];
  const secret = as === "wrongPassword" ? "wrong" : password;
  const response = await fetch(`${base}/${path()}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(as !== "nobody" && { authorization: `Basic ${btoa(`${username}:${secret}`)}` }),
      "content-type": "application/json",
      accept: "application/json",
      ...(given !== undefined && { token: given() }),
    },
    ...(body !== undefined && { body: JSON.stringify(body()) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get("content-type")?.split(";")[0],
    challenge: response.headers.get("www-authenticate")?.split(" ")[0],
    retryAfter: response.headers.get("retry-after"),
    location: response.headers.get("location"),
    body: JSON.parse(text) as unknown,
  };
}

const apiSet = "fairway-live";
const unknownClub = "00000000-0000-4000-8000-000000000000";
const since = "20200101T000000";
const nightly = (club: string) =>
  `${apiSet}/clubs/${club}/courses?active=1&sort=ActivationDate:1&sortTee=TotalLength:1&changedsince=${since}`;
const smallest = (ExternalID: string) => () => [minimalCard(pipeline.standIn, { ExternalID })];

/** An error's status is compared, and that its body is a JSON object; its words are not. */
const problem: Difference = {
  words: "errors have our own words, and more fields",
  body: (body) => typeof body,
};
const byId = (body: unknown) =>
  (body as { ID: string }[]).toSorted((one, other) => (one.ID < other.ID ? -1 : 1));
const inAnyOrder: Difference = { words: "in the order of the union's IDs", body: byId };

/** The dates as they come, and the records of each date in any order. */
const byDate: Difference = {
  words: "courses of one ActivationDate in any order",
  body: (body) => [
    (body as { ActivationDate: string }[]).map(({ ActivationDate }) => ActivationDate),
    byId(body),
  ],
};

const requests: Readonly<Record<string, [AppRequest, Difference?]>> = {
  "all clubs, in which it searches": [{ path: () => `${apiSet}/clubs` }, inAnyOrder],
  "one club": [{ path: () => `${apiSet}/clubs/${clubOf(0)}` }],
  "the courses of a club by its own query": [
    { path: () => nightly(playableTee(pipeline.standIn).course.ClubID.toLowerCase()) },
    byDate,
  ],
  "the courses of another club by its own query": [{ path: () => nightly(clubOf(3)) }, byDate],
  "what has changed since tomorrow": [{ path: () => nightly(clubOf(0)).replace(since, "20990101T000000") }],
  "all courses of a club": [{ path: () => `${apiSet}/clubs/${clubOf(0)}/courses` }, inAnyOrder],
  "courses without tees": [
    { path: () => `${apiSet}/clubs/${clubOf(0)}/courses?excludeParams=tees` },
    inAnyOrder,
  ],
  "a member by the UnionID": [{ path: () => `${apiSet}/clubs/golfer?unionid=${playerOf(4)}` }],
  "a member by the LifeTimeID": [
    { path: () => `${apiSet}/clubs/golfer?lifetimeid=${pipeline.standIn.members[4]?.LifeTimeID}` },
  ],
  "a member by both numbers, with a second question mark": [
    {
      path: () =>
        `${apiSet}/clubs/golfer?lifetimeid=${pipeline.standIn.members[4]?.LifeTimeID}?unionid=${playerOf(4)}`,
    },
  ],
  "the player who gave consent": [{ path: () => `${apiSet}/clubs/golfer_byaccesstoken`, token: () => token }],
  "a player's record by its statistics path": [
    {
      path: () => `statistik/clubs/${clubOf(9)}/memberships/scorecards?unionid=${playerOf(9)}`,
      as: "records",
    },
  ],
  "the record of a player who has none": [
    {
      path: () => `statistik/clubs/${clubOf(11)}/memberships/scorecards?unionid=${playerOf(11)}`,
      as: "records",
    },
  ],
  "its smallest card": [
    { path: () => `${apiSet}/clubs/members/exchangedscorecards`, body: smallest("smallest") },
    {
      words: "201 with what the card leaves out filled in",
      status: [200, 201],
      body: (body) => withFieldsOf(smallest("smallest")(), body),
    },
  ],
  "a club that is not there": [{ path: () => `${apiSet}/clubs/${unknownClub}` }, problem],
  "the courses of a club that is not there": [{ path: () => nightly(unknownClub) }, problem],
  "a member who is not there": [{ path: () => `${apiSet}/clubs/golfer?unionid=9999-999999` }, problem],
  "the record of a player of another club": [
    { path: () => `statistik/clubs/${clubOf(9)}/memberships/scorecards?unionid=9999-999999`, as: "records" },
    problem,
  ],
  "clubs with a wrong password": [{ path: () => `${apiSet}/clubs`, as: "wrongPassword" }, problem],
  "clubs without credentials": [{ path: () => `${apiSet}/clubs`, as: "nobody" }, problem],
  "another vendor's API set": [{ path: () => "greens-app/clubs" }, problem],
  "a token that is none": [
    { path: () => `${apiSet}/clubs/golfer_byaccesstoken`, token: () => "none" },
    {
      ...problem,
      words:
        "403 for a player's token that the union refuses: 401 would say that the account's own password is wrong",
      status: [401, 403],
    },
  ],
  "a card that is no card": [
    { path: () => `${apiSet}/clubs/members/exchangedscorecards`, body: () => [{ nonsense: true }] },
    { ...problem, words: "422 with every fault for a card that the exchange would lose", status: [200, 422] },
  ],
};

/** Of what was answered, the fields that were sent, at any depth. */
function withFieldsOf(wanted: unknown, body: unknown): unknown {
  if (typeof wanted !== "object" || wanted === null || typeof body !== "object" || body === null) return body;
  if (Array.isArray(wanted)) return wanted.map((one, place) => withFieldsOf(one, (body as unknown[])[place]));
  return Object.fromEntries(
    Object.entries(wanted).map(([name, value]) => [
      name,
      withFieldsOf(value, (body as Record<string, unknown>)[name]),
    ]),
  );
}

test.each(Object.entries(requests))(
  "the union's own app is answered as by the union: %s",
  async (_, [request, { words = "", status, body = (all: unknown) => all } = {}]) => {
    // Each issues tokens of its own.
    const { address } = request.token === undefined ? union : pipeline.standIn;
    const there = await sent(address, "there", request);
    const here = await sent(pipeline.machine.run.api, "here", request);
    expect(documented).toContain(words);
    if (status === undefined) expect(here.status).toBe(there.status);
    else expect([there.status, here.status]).toEqual(status);
    const isError = here.status >= 400;
    expect([here.challenge, here.retryAfter, here.location]).toEqual([
      status === undefined ? there.challenge : undefined,
      there.retryAfter,
      there.location,
    ]);
    expect(there.type).toBe("application/json");
    expect(here.type).toBe(isError ? "application/problem+json" : there.type);
    if (isError && status !== undefined) return;
    expect(body(here.body)).toEqual(body(there.body));
  },
);

/** A path without its API set and IDs, with the names in its query. */
const shapeOf = (path: string) => {
  const [place = "", ...queries] = path.replace(/^[^/]+\//, "").split("?");
  const names = queries
    .join("&")
    .split("&")
    .map((parameter) => parameter.replace(/=.*/, ""));
  const shape = place.replace(/[\da-f]{8}-[\da-f-]{27}/i, "{id}");
  return [shape, ...names.filter((name) => name !== "").sort()].join(" ");
};

test("docs/moving-over.md goes through every request of the app, and through no other", () => {
  const page = readFileSync("docs/moving-over.md", "utf8");
  const paths = Array.from(page.matchAll(/\/test\/(greens-app\/[^"\s]+)"/g), ([, path = ""]) =>
    shapeOf(path),
  );
  const replayed = Object.values(requests).map(([{ path }]) => shapeOf(path()));
  expect(new Set(paths)).toEqual(new Set(replayed));
  expect(paths).toHaveLength(11);
});
