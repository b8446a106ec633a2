import { DeleteSecretCommand } from "@aws-sdk/client-secrets-manager";
import { beforeEach, describe, expect, test } from "vitest";
import { demoVendors } from "../../local/pipeline/demo-accounts.ts";
import { hurried } from "../hurried-settings.ts";
import { assemblyOf } from "../synthesized-stack.ts";
import { clientsOf } from "./local-clients.ts";
import { type Vendor, vendorOf } from "./pipeline.ts";
import { provideUnionOnCommand } from "./union-on-command.ts";

/** Also the numbers by themselves, but not as digits of a time or of an ID. */
const ofMember = /311265-?042|1016-471[12]|(?<![\w-])471[12](?![\w-])|Sørine|Åkjær/;

// One look-up waits for so long; none of the others may, on the slowest machine either.
const assembly = await assemblyOf({ ...hurried, timing: { ...hurried.timing, memberLookup: 3 } });
const { union, machine, logs } = await provideUnionOnCommand(assembly);
const [vendor, second] = demoVendors.map((account) => vendorOf(machine.run.api, account)) as [Vendor, Vendor];

const club = {
  ID: "CA1636A2-0000-4078-AD38-D7F8BD23D76C",
  Name: "Søhøjlandet Golfklub",
  ShortName: "SØH",
  UnionNumber: 1016,
};
const member = {
  ID: "7AABAF90-0000-4552-889B-553D5CE75FC6",
  LifeTimeID: "311265-042",
  FirstName: "Sørine",
  LastName: "Åkjær",
  Gender: "Female",
  BirthDate: "19651231T000000",
  RightToPlay: true,
  Status: 1,
  Handicap: "158000",
  HandicapStatus: 3,
  ShoeSize: 44,
  Memberships: [
    {
      ID: "36D33C80-0000-4175-BC53-0E2957556301",
      UnionID: "1016-4711",
      Club: club,
      HomeClub: club,
      IsHomeClub: true,
      LocalRightToPlay: true,
      Type: 1,
    },
  ],
};
const found = { status: 200, text: JSON.stringify(member) };
const token = "eyJhbGciOi.players-own.token";

beforeEach(() => {
  union.seen.length = 0;
  union.answer = found;
});

describe("a vendor that looks a member up", () => {
  test.each([
    "Clubs/Golfer?lifetimeID=311265-042&unionID=1016-4711",
    "clubs/golfer?lifetimeid=311265-042&unionid=1016-4711",
    "Clubs/Golfer?lifetimeID=311265-042?unionID=1016-4711",
    "/clubs//golfer/?UNIONID=1016-4711&LifeTimeId=311265-042",
  ])("gets what the union has, nothing added and nothing left out, by %s", async (path) => {
    const answer = await vendor.ask("GET", path);
    expect([answer.status, answer.text]).toEqual([200, found.text]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toContain("application/json");
    const { apiSet } = vendor.account;
    expect(union.seen.map(({ url }) => url)).toEqual([
      `/${apiSet}/Clubs/Golfer?lifetimeID=311265-042&unionID=1016-4711`,
    ]);
  });

  test("is who asks at the union: by its credentials there, with all four headers", async () => {
    await vendor.ask("GET", "clubs/golfer?unionid=1016-4711");
    await vendor.ask("GET", "clubs/golfer?unionid=1016-4711", undefined, { Token: token });
    const { username, password } = vendor.account;
    const headers = {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
      "content-type": "application/json",
      accept: "application/json",
    };
    expect(union.seen).toMatchObject([
      { headers: { ...headers, token: "" } },
      { headers: { ...headers, token } },
    ]);
  });
});

describe("a vendor with a player's token", () => {
  test.each(["clubs/Golfer_ByAccessToken", "Clubs/golfer_byaccesstoken"])(
    "gets the player who gave consent, by %s",
    async (path) => {
      const answer = await vendor.ask("GET", path, undefined, { Token: token });
      expect([answer.status, answer.text]).toEqual([200, found.text]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(union.seen).toMatchObject([
        { url: `/${vendor.account.apiSet}/clubs/Golfer_ByAccessToken`, headers: { token } },
      ]);
    },
  );

  test.each([undefined, "", "two words"])("gets nothing by the token %j", async (wrong) => {
    const headers: Record<string, string> = wrong === undefined ? {} : { Token: wrong };
    const answer = await vendor.ask("GET", "clubs/Golfer_ByAccessToken", undefined, headers);
    expect([answer.status, answer.body.title]).toEqual([
      400,
      wrong === "two words" ? "Token cannot be read" : "Token missing",
    ]);
    expect(union.seen).toEqual([]);
  });

  test.each([401, 403])("that the union answers with %i is told that it is refused", async (status) => {
    union.answer = { status, text: "" };
    const answer = await vendor.ask("GET", "clubs/Golfer_ByAccessToken", undefined, { Token: token });
    expect([answer.status, answer.body.type]).toEqual([403, "urn:scorecards:problem:token-refused"]);
  });
});

const record = [
  {
    HCP: "158000",
    Round: { StartTime: "20260704T093000", HolesPlayed: "18" },
    Result: { IsQualifying: true, SGD: 246_000, TotalPoints: 33, TotalStrokes: "92" },
    Course: { Name: "Søhøjlandet", TeePar: 72, TeeRating: "718000", TeeSlope: 119 },
    Weather: "Sørine's umbrella",
  },
];
/** As no serializer of ours would write it. */
const recordText = JSON.stringify(record, undefined, 1).replace("246000", "246000.0");
const recordPath = `clubs/${club.ID}/Memberships/Scorecards`;

describe("a vendor that reads a player's record", () => {
  beforeEach(() => {
    union.answer = { status: 200, text: recordText };
  });

  const { username, password } = vendor.account;
  const asVendor = { authorization: `Basic ${btoa(`${username}:${password}`)}`, token: "" };

  test.each([
    `${recordPath}?unionid=1016-4711`,
    `Clubs/${club.ID}/Memberships/Scorecards?unionID=1016-4711`,
    `${recordPath.toLowerCase()}?unionid=1016-4711`,
    `/clubs//${club.ID}//memberships/Scorecards/?UnionID=%201016-4711&lifetimeID=1`,
  ])(
    "gets what the union has, to the letter, from the union's API set of records and with its own credentials, by %s",
    async (path) => {
      const answer = await vendor.ask("GET", path, undefined, { Token: token });
      expect([answer.status, answer.text]).toEqual([200, recordText]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("content-type")).toContain("application/json");
      expect(answer.headers.get("etag")).toBeNull();
      expect(union.seen).toMatchObject([{ headers: asVendor }]);
      const [asked] = union.seen;
      // The ID of the club is passed on in the case that it was sent in.
      expect(asked?.url.toUpperCase()).toBe(`/statistik/${recordPath}?unionid=1016-4711`.toUpperCase());
      expect(asked?.url).toMatch(/^\/statistik\/clubs\/[\w-]+\/Memberships\/Scorecards\?unionid=1016-4711$/);
    },
  );
});

const tooLarge = (bytes: number) => JSON.stringify([{ ...record[0], Comment: '"'.repeat(bytes) }]);
const problems = "urn:scorecards:problem:union-";
const unavailable = `${problems}unavailable`;
const memberPath = "Clubs/Golfer?unionID=1016-4711";
const playerPath = `${recordPath}?unionid=1016-4711`;
const [member404, record404] = ['{"Message":"none"}', '{"Message":"1016-4711"}'];

describe("where the union", () => {
  test.each([
    ["has nobody", memberPath, { status: 404, text: member404 }, 404, "about:blank"],
    ["has no such player", playerPath, { status: 404, text: record404 }, 404, "about:blank"],
    ["says nothing", memberPath, { status: 200, text: "" }, 404, "about:blank"],
    ["answers with no list", playerPath, { status: 200, text: '{"Sørine":1}' }, 502, unavailable],
    ["answers more than fits", playerPath, { status: 200, text: tooLarge(2_000_000) }, 502, unavailable],
    ["answers more than is read", playerPath, { status: 200, text: tooLarge(4_000_000) }, 502, unavailable],
    ...[memberPath, playerPath].flatMap((path) => [
      ["says null", path, { status: 200, text: "null" }, 404, "about:blank"] as const,
      ["fails", path, { status: 500, text: "Sørine" }, 502, unavailable] as const,
      ["answers nonsense", path, { status: 200, text: "<p>Sørine" }, 502, unavailable] as const,
      ["is late", path, "late", 504, unavailable] as const,
      ["refuses the account", path, { status: 401, text: "" }, 502, `${problems}credentials`] as const,
      ["forbids it", path, { status: 403, text: "" }, 403, `${problems}forbids`] as const,
    ]),
  ] as const)("%s, the vendor is told so by %s", async (_what, path, commanded, status, type) => {
    union.answer = commanded;
    const answer = await vendor.ask("GET", path);
    expect([answer.status, answer.body.type, answer.body.status]).toEqual([status, type, status]);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("retry-after")).toBe(type === unavailable ? "5" : null);
    expect(answer.text).not.toMatch(ofMember);
  });
});

test("a vendor whose credentials at the union cannot be read is told when to come back", async () => {
  const SecretId = `scorecards/test/vendor/${second.account.apiSet}`;
  await clientsOf(machine.run).secrets.send(new DeleteSecretCommand({ SecretId }));

  const answer = await second.ask("GET", "Clubs/Golfer?unionID=1016-4711");

  expect([answer.status, answer.body.type]).toEqual([503, "urn:scorecards:problem:try-again"]);
  expect(answer.headers.get("retry-after")).toBe("5");
  expect(union.seen).toEqual([]);
});

test("nothing of a member, a number or a token is in any log", () => {
  expect(logs.join("\n")).not.toMatch(ofMember);
  expect(logs.join("\n")).not.toMatch(/players-own|-demo/);
});
