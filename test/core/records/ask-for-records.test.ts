import { beforeEach, expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { recordQuestions } from "../../../core/records/ask-for-records.ts";
import { CredentialsUnavailableError } from "../../../core/union/account-secrets.ts";
import type { MemberLookup } from "../../../core/union/member-register.ts";
import type { PlayerRecord } from "../../../core/union/record-register.ts";
import { green, red } from "../memory/stored-card.ts";

const club = "7AABAF90-0000-4552-889B-553D5CE75FC6";
const otherClub = "8AABAF90-0000-4552-889B-553D5CE75FC6";
const round = { startTime: "20260704T093000", totalStrokes: 92, totalPoints: 33, differential: 246_000 };
const found: PlayerRecord = { outcome: "found", rounds: [round], record: "[]" };
const failed: PlayerRecord = { outcome: "failed", why: "The union answered 503." };

/** Who was asked for: the vendor's account, and the membership. */
let asked: (readonly [username: string, clubId: string, unionId: string])[];
let refused: ApiSet[];
/** How often was stored that the union has given a record. */
let given: number;
const deliveredAt = 1_000_000;
beforeEach(() => {
  given = 0;
  asked = [];
  refused = [];
});

interface Union {
  /** When the union gave a record to an earlier run. */
  readonly givenAt?: number;
  readonly record?: (unionId: string) => PlayerRecord;
  readonly member?: MemberLookup;
  /** Vendors whose credentials cannot be read. */
  readonly without?: readonly ApiSet[];
  readonly clubs?: readonly (readonly [number: number, id: string])[];
  /** Username of the account that reads records, if it is not the vendor's. */
  readonly own?: string;
}

const lookedUp: string[] = [];

const questions = ({
  record = () => found,
  member = { outcome: "nobody" },
  without = [],
  clubs = [[1016, club]],
  givenAt = 0,
  own,
}: Union = {}) => {
  const account = async (apiSet: ApiSet) => {
    if (without.includes(apiSet)) throw new CredentialsUnavailableError();
    return { username: apiSet, password: "secret", unionApiSet: apiSet, token: "" };
  };
  const ask = recordQuestions({
    account: async (apiSet) => ({ ...(await account(apiSet)), ...(own !== undefined && { username: own }) }),
    vendorAccount: account,
    clubIds: async () => new Map(clubs),
    playerRecord: async ({ username }, { clubId, unionId }) => {
      asked.push([username, clubId, unionId]);
      return record(unionId);
    },
    members: {
      byNumbers: async ({ username }) => {
        lookedUp.push(username);
        return member;
      },
    },
    recordGivenAt: async () => givenAt,
    recordGiven: async () => void given++,
    refused: (apiSet) => void refused.push(apiSet),
  });
  return (apiSet: ApiSet, of: Parameters<typeof ask>[1], at = deliveredAt) => ask(apiSet, of, at);
};
const player = (unionId: string) => ({ unionId, lifeTimeId: undefined });
const byLifeTimeId = { unionId: undefined, lifeTimeId: "010190-001" };

test("a player's record is asked for once, at the club of the UnionID, with the vendor's account", async () => {
  const ask = questions();
  const answers = await Promise.all([ask(green, player("1016-100")), ask(green, player("1016-100"))]);
  expect(answers).toEqual([[round], [round]]);
  await ask(red, player("1016-100"));
  expect(asked).toEqual([
    ["green", club, "1016-100"],
    ["red", club, "1016-100"],
  ]);
});

test("a player whom the union does not know, or whose club nobody knows, is nobody", async () => {
  const ask = questions({ record: (unionId) => (unionId === "1016-1" ? found : { outcome: "nobody" }) });
  await ask(green, player("1016-1"));
  expect(await ask(green, player("1016-100"))).toBe("nobody");
  expect(await ask(green, player("9999-1"))).toBe("nobody");
  expect(asked).toHaveLength(2);
});

test("a union that has given no record since the card was delivered may have its records elsewhere, and its 404 is no answer", async () => {
  const nobody: Union = { record: () => ({ outcome: "nobody" }) };
  const ask = questions({ ...nobody, givenAt: deliveredAt });
  expect(await ask(green, player("1016-1"), deliveredAt + 1)).toBe("unanswered");
  expect(await ask(green, player("1016-1"), deliveredAt)).toBe("nobody");
  expect(await questions(nobody)(green, player("1016-2"))).toBe("unanswered");
  expect(asked).toHaveLength(2);
  expect(given).toBe(0);
});

test("that the union has given a record is stored once a run", async () => {
  const ask = questions();
  for (const unionId of ["1016-1", "1016-2"]) await ask(green, player(unionId));
  expect(given).toBe(1);
});

test("as long as no clubs are mirrored, nobody is said to be of no club", async () => {
  const ask = questions({ clubs: [] });
  expect(await ask(green, player("1016-1"))).toBe("unanswered");
  expect(asked).toEqual([]);
});

test("a player of whom only the LifeTimeID is known is looked up, and asked for at the home club", async () => {
  const memberships = [
    { UnionID: "9-1", Club: { ID: otherClub } },
    { UnionID: "1016-100", IsHomeClub: true, Club: { ID: club } },
  ];
  const member = JSON.stringify({ Memberships: memberships });
  expect(await questions({ member: { outcome: "found", member } })(green, byLifeTimeId)).toEqual([round]);
  expect(asked).toEqual([["green", club, "1016-100"]]);
  expect(await questions()(green, byLifeTimeId)).toBe("nobody");
  expect(await questions({ member: { outcome: "late" } })(green, byLifeTimeId)).toBe("unanswered");
});

test("an account that is forbidden the first players goes on with others, so that guests at the head of a list stop nobody", async () => {
  const ask = questions({
    record: (unionId) => (unionId === "1016-9" ? found : { outcome: "refused", status: 403 }),
  });
  for (const unionId of ["1016-1", "1016-2"]) expect(await ask(green, player(unionId))).toBe("unanswered");
  expect(await ask(green, player("1016-9"))).toEqual([round]);
  expect(refused).toEqual(["green"]);
});

test("an account that is forbidden one player after the other asks for five in a run", async () => {
  const ask = questions({ record: () => ({ outcome: "refused", status: 403 }) });
  for (let n = 1; n <= 20; n++) await ask(green, player(`1016-${n}`));
  expect([asked.length, refused]).toEqual([5, ["green"]]);
});

test("after an account's credentials are refused nobody is asked for with it, and the operator hears once", async () => {
  const ask = questions({ record: () => ({ outcome: "refused", status: 401 }) });
  for (const unionId of ["1016-1", "1016-2", "1016-3"])
    expect(await ask(green, player(unionId))).toBe("left");
  expect(asked).toHaveLength(1);
  expect(refused).toEqual(["green"]);
});

test("an account that may read some records is not stopped by the refusal of one", async () => {
  const ask = questions({
    record: (unionId) => (unionId === "1016-2" ? { outcome: "refused", status: 403 } : found),
  });
  expect(await ask(green, player("1016-1"))).toEqual([round]);
  expect(await ask(green, player("1016-2"))).toBe("unanswered");
  expect(await ask(green, player("1016-3"))).toEqual([round]);
  expect(refused).toEqual([]);
});

test("a vendor whose credentials cannot be read is refused, and others are asked for", async () => {
  const ask = questions({ without: [green] });
  expect(await ask(green, player("1016-1"))).toBe("left");
  expect(await ask(red, player("1016-1"))).toEqual([round]);
  expect(refused).toEqual(["green"]);
});

test("a union that is down is asked five times, and no more", async () => {
  const ask = questions({ record: () => failed });
  const answers = [];
  for (let place = 0; place < 20; place++) answers.push(await ask(green, player(`1016-${place}`)));
  expect(asked).toHaveLength(5);
  expect(answers).toEqual([...Array(5).fill("unanswered"), ...Array(15).fill("left")]);
});

test("a union that fails now and then is asked on", async () => {
  const ask = questions({ record: (unionId) => (/[49]$/.test(unionId) ? found : failed) });
  for (let place = 0; place < 20; place++) await ask(green, player(`1016-${place}`));
  expect(asked).toHaveLength(20);
});

test("records are read with the account of their own, and members are looked up with the vendor's", async () => {
  lookedUp.length = 0;
  const member = JSON.stringify({
    Memberships: [{ UnionID: "1016-7", IsHomeClub: true, Club: { ID: club } }],
  });
  const ask = questions({ own: "records", member: { outcome: "found", member } });
  expect(await ask(green, byLifeTimeId)).toEqual([round]);
  expect(await ask(green, player("1016-100"))).toEqual([round]);
  expect(lookedUp).toEqual(["green"]);
  expect(asked).toEqual([
    ["records", club, "1016-7"],
    ["records", club, "1016-100"],
  ]);
});
