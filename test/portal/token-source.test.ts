import { expect, test } from "vitest";
import { createTokenSource } from "../../portal/token-source.ts";

function session({ ends = false } = {}) {
  let time = 0;
  let renewals = 0;
  let ended = 0;
  const token = createTokenSource(
    { token: "first", expiresIn: 900 },
    async () => {
      renewals += 1;
      return ends ? undefined : { token: `token ${renewals}`, expiresIn: 900 };
    },
    () => {
      ended += 1;
    },
    () => time,
  );
  return {
    token,
    seen: () => ({ renewals, ended }),
    pass: (seconds: number) => {
      time += seconds * 1_000;
    },
  };
}

test("a token is used until shortly before its end", async () => {
  const { token, pass, seen } = session();
  pass(839);
  expect(await token()).toBe("first");
  pass(1);
  expect(await token()).toBe("token 1");
  expect(seen()).toEqual({ renewals: 1, ended: 0 });
});

test("many requests at once get one new token", async () => {
  const { token, pass, seen } = session();
  pass(10_000);
  expect(await Promise.all([token(), token(), token()])).toEqual(["token 1", "token 1", "token 1"]);
  expect(seen()).toEqual({ renewals: 1, ended: 0 });
});

test("a session that has ended signs the reader out, and its request is not sent", async () => {
  const { token, pass, seen } = session({ ends: true });
  pass(10_000);
  await expect(token()).rejects.toThrow("The session has ended.");
  expect(seen()).toEqual({ renewals: 1, ended: 1 });
});

test("a renewal without an answer is tried again by the next request", async () => {
  let answers = 0;
  const token = createTokenSource(
    { token: "first", expiresIn: 0 },
    async () => {
      answers += 1;
      if (answers === 1) throw new Error("no network");
      return { token: "second", expiresIn: 900 };
    },
    () => undefined,
  );
  await expect(token()).rejects.toThrow("no network");
  expect(await token()).toBe("second");
});
