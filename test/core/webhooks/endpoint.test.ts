import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { secretsInUse, type WebhookEndpoint, withNewSecret } from "../../../core/webhooks/endpoint.ts";
import { updateLatest } from "../../../core/webhooks/endpoint-table.ts";
import { day } from "../../durations.ts";

const endpoint: WebhookEndpoint = {
  apiSet: "green" as ApiSet,
  id: "wh_1",
  version: 1,
  url: "https://scores.example/webhooks",
  types: ["scorecard.delivered"],
  secrets: [{ secret: "first" }],
  createdAt: 0,
};

test("a secret that was replaced is valid for a day more", () => {
  const rotated = { ...endpoint, secrets: withNewSecret(endpoint, "second", 0) };
  expect(secretsInUse(rotated, day - 1)).toEqual(["first", "second"]);
  expect(secretsInUse(rotated, day)).toEqual(["second"]);
});

test("however often a secret is replaced, events are signed with the newest five", () => {
  let rotated = endpoint;
  for (let time = 1; time <= 1_200; time++) {
    rotated = { ...rotated, secrets: withNewSecret(rotated, `secret ${time}`, time) };
    expect(rotated.secrets.length).toBeLessThanOrEqual(5);
  }
  expect(secretsInUse(rotated, 1_200)).toEqual(
    [1196, 1197, 1198, 1199, 1200].map((time) => `secret ${time}`),
  );
});

test.each([
  ["once", 1, { version: 3, url: "https://new.example", lastMilliseconds: 1 }],
  ["each time", 9, undefined],
])(
  "a vendor's change is made though a run notes its post meanwhile, unless it does so each time: %s",
  async (_, notes, expected) => {
    let stored = { ...endpoint };
    let left = notes;
    const table = {
      find: async () => stored,
      async update(read: WebhookEndpoint, change: object) {
        if (left-- > 0) stored = { ...stored, version: stored.version + 1, lastMilliseconds: 1 };
        if (read.version !== stored.version) return undefined;
        stored = { ...read, ...change, version: read.version + 1 };
        return stored;
      },
    };
    const changed = await updateLatest(table, endpoint, () => ({ url: "https://new.example" }));
    expect(changed).toEqual(expected && { ...endpoint, ...expected });
  },
);
