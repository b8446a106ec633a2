import { beforeEach, expect, test } from "vitest";
import {
  accountAllowance,
  addressAllowance,
  type SignInLimit,
  signInLimit,
} from "../../../core/accounts/sign-in-limit.ts";

let time: number;
let limit: SignInLimit;
beforeEach(() => {
  time = Date.parse("2026-07-04T12:00:00Z");
  limit = signInLimit(() => time);
});

const isLetIn = (address: string, username: string) => limit.attempt(address, username) === undefined;

test("200 attempts a second from one address for a minute are few that count, and everybody else signs in", () => {
  let looked = 0;
  let others = 0;
  for (let second = 0; second < 60; second += 1) {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      if (isLetIn("192.0.2.1", `guess-${second}-${attempt}`)) looked += 1;
      time += 5;
    }
    if (isLetIn(`198.51.100.${second}`, "greens-app")) others += 1;
  }
  expect(looked).toBeLessThanOrEqual(addressAllowance.burst + 60 / addressAllowance.secondsEach + 1);
  expect(others).toBe(60);
});

test("attempts on an account from one address do not shut it out at another", () => {
  for (let attempt = 0; attempt < 1_000; attempt += 1) limit.attempt("192.0.2.1", "greens-app");
  expect(isLetIn("192.0.2.1", "greens-app")).toBe(false);
  expect(isLetIn("192.0.2.2", "greens-app")).toBe(true);
  // Behind the same address, too, others can sign in.
  expect(isLetIn("192.0.2.1", "fairway-app")).toBe(true);
});

test("whoever is refused is told when to come again, and then is let in", () => {
  for (let attempt = 0; attempt < accountAllowance.burst; attempt += 1) limit.attempt("192.0.2.1", "green");
  const wait = limit.attempt("192.0.2.1", "green");
  expect(wait).toBe(accountAllowance.secondsEach);
  time += (accountAllowance.secondsEach - 1) * 1_000;
  expect(isLetIn("192.0.2.1", "green")).toBe(false);
  time += 1_000;
  expect(isLetIn("192.0.2.1", "green")).toBe(true);
});

test("right passwords are not counted: a club house signs in as often as it likes", () => {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    expect(isLetIn("192.0.2.1", "green")).toBe(true);
    limit.succeeded("192.0.2.1", "green");
  }
});

test.each([
  ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", false],
  ["2001:db8:1:2::1", "2001:db8:1:3::1", true],
  ["::ffff:192.0.2.1", "192.0.2.1", false],
  ["11.0.0.1", "21.0.0.1", true],
  ["no address", "another", true],
])("attempts from %s count apart from those of %s: %s", (one, other, apart) => {
  for (let attempt = 0; attempt < 1_000; attempt += 1) limit.attempt(one, `guess-${attempt}`);
  expect(isLetIn(other, "green")).toBe(apart);
});
