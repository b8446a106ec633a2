import { expect, test } from "vitest";
import { apiSetSchema } from "../../../core/accounts/account.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { erasure } from "../../../core/cards/person-data.ts";
import { storedCardAnswer } from "../../../functions/track-scorecards/stored-card.ts";
import { accepted, minimalCard } from "../../core/golf/sample-cards.ts";

function stored(change: Partial<StoredCard> = {}): StoredCard {
  return {
    apiSet: apiSetSchema.parse("greens-app"),
    externalId: "card-1",
    version: 1,
    state: "delivered",
    since: 2_000,
    acceptedAt: 1_000,
    requestId: "request",
    contentHash: "hash",
    content: contentOf(accepted(minimalCard()).card),
    mustWait: false,
    attempts: 1,
    atExchange: 1,
    maybeAtExchange: 0,
    earlier: [],
    ...change,
  };
}

const bodyOf = (card: StoredCard) => JSON.parse(storedCardAnswer(card).body);

test("a card is shown as it is stored, with its state and each hole explained", () => {
  const card = stored();
  const { statusCode, headers } = storedCardAnswer(card);
  expect([statusCode, headers["Cache-Control"]]).toEqual([200, "no-store"]);
  const body = bodyOf(card);
  expect(body).toMatchObject({
    externalId: "card-1",
    state: "delivered",
    since: "1970-01-01T00:00:02.000Z",
    posts: [{ version: 1, at: "1970-01-01T00:00:02.000Z", posts: 1 }],
  });
  expect(body.card).toEqual(JSON.parse(card.content.text()));
  expect(body.derivation.holes).toHaveLength(18);
  expect(body.derivation.totalPoints).toBe(body.card.Result.TotalPoints);
});

test("a number with more digits than a program can hold is shown as it was sent", () => {
  const text = stored().content.text().replace('"HCP":', '"Serial":12345678901234567890,"HCP":');
  const content = { ...stored().content, text: () => text };
  expect(storedCardAnswer(stored({ content })).body).toContain('"Serial":12345678901234567890');
});

test("of a card whose player was erased nothing is shown, and the answer says that its state is left", () => {
  const erased = stored(erasure(stored(), { role: "player" }, () => false).set);
  expect(() => storedCardAnswer(erased)).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ status: 410, title: "Card erased" }) }),
  );
});

test("a card whose marker was erased is shown without the marker", () => {
  const erased = stored(erasure(stored(), { role: "marker" }, () => false).set);
  expect(bodyOf(erased)).toMatchObject({ card: { Marker: {} }, derivation: { holes: expect.any(Array) } });
});
