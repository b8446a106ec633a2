import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { verifyWebhook, WebhookSignatureError } from "../../../packages/client/index.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const body = '{"test": 2432232314}';
const now = 1_614_265_330_000;
/** The example of the specification's reference implementations. */
const headers = {
  "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
  "webhook-timestamp": "1614265330",
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

const verify = (change: Partial<Parameters<typeof verifyWebhook>[0]> = {}) =>
  verifyWebhook({ headers, body, secret, now, ...change });

test("the example of Standard Webhooks is verified, with its body parsed", async () => {
  expect(await verify()).toEqual({ test: 2432232314 });
});

test("what the reference library signs is verified, in whatever form headers and body are", async () => {
  const date = new Date(now);
  const text = JSON.stringify({ name: "Kjær", emoji: "⛳" });
  const signed = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(now / 1_000),
    "webhook-signature": new Webhook(secret).sign("msg_1", date, text),
  };
  const expected = { name: "Kjær", emoji: "⛳" };
  expect(await verify({ headers: signed, body: text })).toEqual(expected);
  expect(await verify({ headers: new Headers(signed), body: new TextEncoder().encode(text) })).toEqual(
    expected,
  );
});

test("one valid signature among several is enough, by any of several secrets", async () => {
  const signatures = `v1,AAAA v2,${headers["webhook-signature"].slice(3)} ${headers["webhook-signature"]}`;
  const given = { ...headers, "webhook-signature": signatures };
  expect(await verify({ headers: given, secret: [other, secret] })).toEqual({ test: 2432232314 });
});

describe("a request is refused", () => {
  test.each<[string, Parameters<typeof verify>[0]]>([
    ["with another body", { body: `${body} ` }],
    ["with another secret", { secret: other }],
    ["with another id", { headers: { ...headers, "webhook-id": "msg_2" } }],
    ["with another timestamp", { headers: { ...headers, "webhook-timestamp": "1614265331" } }],
    [
      "with a signature of another version",
      { headers: { ...headers, "webhook-signature": headers["webhook-signature"].replace("v1", "v2") } },
    ],
    ["with a signature that is not base64", { headers: { ...headers, "webhook-signature": "v1,%%%" } }],
    ["with a shorter signature", { headers: { ...headers, "webhook-signature": "v1,g0hM" } }],
    [
      "with its signature after ten others",
      {
        headers: {
          ...headers,
          "webhook-signature": `${"v1,AAAA ".repeat(10)}${headers["webhook-signature"]}`,
        },
      },
    ],
    ["without a signature", { headers: { ...headers, "webhook-signature": undefined } }],
    ["without an id", { headers: { ...headers, "webhook-id": "" } }],
    ["with a timestamp that is no number", { headers: { ...headers, "webhook-timestamp": "soon" } }],
    ["more than five minutes late", { now: now + 300_001 }],
    ["more than five minutes early", { now: now - 300_001 }],
  ])("%s", async (_, change) => {
    await expect(verify(change)).rejects.toThrow(WebhookSignatureError);
  });
});

test("a request is verified up to five minutes late or early", async () => {
  await verify({ now: now + 300_000 });
  await verify({ now: now - 300_000 });
});

test.each(["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_", "whsec_%"])(
  "%j is no secret, and not repeated",
  async (wrong) => {
    await expect(verify({ secret: wrong })).rejects.toThrow("A webhook's secret is whsec_ and base64.");
  },
);
