import { expect, test } from "vitest";
import { courseRegister } from "../../../core/register/union-register.ts";
import { exchange } from "../../../core/union/exchange.ts";
import { memberRegister } from "../../../core/union/member-register.ts";
import { askUnion } from "../../../core/union/request.ts";
import { answeringUnion } from "./answering-union.ts";

/** A union that sends whoever asks it to another host, and what that host gets to see. */
async function sendingElsewhere(status: number) {
  const seen: string[] = [];
  const elsewhere = await answeringUnion(({ method, url }, response) => {
    seen.push(`${method} ${url}`);
    response.end("[]");
  });
  const address = await answeringUnion((_, response) => {
    response.writeHead(status, { Location: `${elsewhere}/taken` }).end();
  });
  return { address, seen };
}

const account = { username: "green", password: "secret", unionApiSet: "green-set", token: "the account's" };
const timeoutMilliseconds = 60_000;

test.each([301, 302, 303, 307, 308])(
  "a redirect with %i is not followed: neither credentials nor cards are sent there",
  async (status) => {
    const { address, seen } = await sendingElsewhere(status);
    const asked = { path: "Clubs", timeoutMilliseconds };
    expect(await askUnion(address, account, { ...asked, method: "GET" })).toMatchObject({ status });
    expect(await askUnion(address, account, { ...asked, method: "POST", body: "[]" })).toMatchObject({
      status,
    });
    expect(seen).toEqual([]);
  },
);

test("after a redirect a card stays queued, a member is not found, and the register is not read", async () => {
  const { address, seen } = await sendingElsewhere(307);
  const post = exchange(address, "Clubs/Members/ExchangedScorecards", timeoutMilliseconds, () => new Date());
  expect(
    await post(account, [{ externalId: "417", card: '{"ExternalID":"417"}' }], { closesConnection: false }),
  ).toMatchObject({ phase: "after", status: 307, echoed: new Set() });
  const members = memberRegister(address, timeoutMilliseconds);
  expect(await members.byToken(account, "the player's")).toEqual({
    outcome: "failed",
    why: "The union answered 307.",
  });
  const register = courseRegister(address, timeoutMilliseconds);
  await expect(register.clubs(account)).rejects.toThrow("The union answered 307.");
  expect(seen).toEqual([]);
});
