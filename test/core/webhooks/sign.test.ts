import { verifyWebhook } from "@scorecard-pipeline/scorecards-client";
import fc from "fast-check";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, test } from "vitest";
import { newSecret, signedHeaders } from "../../../core/webhooks/sign.ts";

const secret = newSecret(new Uint8Array(32).fill(7));
const next = newSecret(new Uint8Array(32).fill(8));
const body = JSON.stringify({ type: "scorecard.delivered", data: [{ externalId: "Sæby-417 ⛳" }] });

test("the example of Standard Webhooks gets its signature", () => {
  const at = new Date(1_614_265_330_000);
  const example = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  expect(signedHeaders([example], "msg_p5jXN8AQM9LWM0D4loKWxJek", at, '{"test": 2432232314}')).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

describe("whatever is signed, with whatever secret, is verified", () => {
  const signed = fc.record({
    random: fc.uint8Array({ minLength: 24, maxLength: 64 }),
    id: fc.stringMatching(/^[\w-]{1,40}$/),
    value: fc.record({ text: fc.string({ unit: "binary" }) }),
  });

  test("by the package svix", () => {
    fc.assert(
      fc.property(signed, ({ random, id, value }) => {
        const text = JSON.stringify(value);
        const headers = signedHeaders([newSecret(random)], id, new Date(), text);
        const receiver = new SvixWebhook(newSecret(random));
        expect(() => receiver.verify(text, headers)).not.toThrow();
        expect(() => receiver.verify(`${text} `, headers)).toThrow();
      }),
    );
  });
});

test("while a secret is replaced, receivers that know the old, the new, or both accept an event", async () => {
  const at = new Date();
  const headers = signedHeaders([next, secret], "msg_1", at, body);
  expect(headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
  for (const known of [secret, next, [secret, next]]) {
    const request = { headers, body, secret: known, now: at.getTime() };
    expect(await verifyWebhook(request)).toEqual(JSON.parse(body));
  }
  for (const known of [secret, next]) {
    expect(() => new SvixWebhook(known).verify(body, headers)).not.toThrow();
  }
});

test("an attempt an hour later has another timestamp and signature, so that it is not refused as old", async () => {
  const first = new Date("2026-11-23T04:00:00.900Z");
  const second = new Date("2026-11-23T05:00:00.100Z");
  const headers = [first, second].map((at) => signedHeaders([secret], "msg_1", at, body));
  expect(headers.map((each) => each["webhook-timestamp"])).toEqual(["1795406400", "1795410000"]);
  const request = { headers: headers[1] ?? {}, body, secret, now: second.getTime() };
  expect(await verifyWebhook(request)).toEqual(JSON.parse(body));
});

test("a secret is whsec_ and base64 of its random bytes", () => {
  expect(newSecret(new Uint8Array(24).fill(255))).toBe(`whsec_${"/".repeat(32)}`);
});

test.each(["", "whsec_", "whsec_%%%%"])("nothing is signed with %j, and it is not repeated", (wrong) => {
  const signing = () => signedHeaders([wrong], "msg_1", new Date(), body);
  expect(signing).toThrow();
  expect(signing).not.toThrow("%%%%");
});
