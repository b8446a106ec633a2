import { describe, expect, test } from "vitest";
import { readApiSet } from "../../../core/account/api-set.ts";
import { type QueuedCard, readMessage, writeMessage } from "../../../core/delivery/message.ts";
import { packText } from "../../../core/store/packed-json.ts";
import { cardAbroad } from "../scorecard/sample-cards.ts";

const apiSet = readApiSet("north");
if (apiSet === undefined) throw new Error("north is an API set.");
const queued = (externalId: string, given: Partial<QueuedCard> = {}): QueuedCard => ({
  apiSet,
  externalId,
  revision: "r1",
  acceptedAt: 1_700_000_000_000,
  card: JSON.stringify({ ExternalID: externalId }),
  ...given,
});
const bodyOf = (first: QueuedCard, ...others: QueuedCard[]) => writeMessage(first, [first, ...others]);

describe("a message", () => {
  test.each(["417", "🏌️‍♀️ hole in one ⛳", "\ufffe\uffff", "\u0000\u001f", `"quoted" \\ud83c`, "a\nb"])(
    "about the card %j says the same when it is read",
    (externalId) => {
      expect(readMessage(bodyOf(queued(externalId)))).toEqual([queued(externalId)]);
    },
  );

  test("says of each of its cards what it was told, in their order", () => {
    const requestId = "request";
    const cards = [
      queued("417", { requestId }),
      queued("418", { requestId, revision: "r2", corrects: "r1", card: JSON.stringify(cardAbroad()) }),
      queued("419", { requestId }),
    ] as const;
    expect(readMessage(bodyOf(...cards))).toEqual(cards);
  });

  test("has only characters that SQS takes", () => {
    const body = bodyOf(queued("🏌️‍♀️\u0001\ufffe\uffff"));
    expect(body).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd]*$/);
  });

  test("takes less than half of a card's own bytes, and of ten that are alike less than a fifth", () => {
    const card = JSON.stringify(cardAbroad());
    const [first = queued("0"), ...others] = Array.from({ length: 10 }, (_, n) =>
      queued(`card ${n}`, { card: JSON.stringify({ ...cardAbroad(), ExternalID: `card ${n}` }) }),
    );
    expect(bodyOf(queued("417", { card })).length).toBeLessThan(card.length / 2);
    expect(bodyOf(first, ...others).length).toBeLessThan((10 * card.length) / 5);
  });

  test.each(["", "{", "null", "[]", '{"apiSet":"north"}'])("that reads %j is none of ours", (body) => {
    expect(readMessage(body)).toBeUndefined();
  });

  const packed = (text: string) => Buffer.from(packText(text)).toString("base64");
  test.each([
    ["nothing", ""],
    ["what is not packed", "bm90IHBhY2tlZA=="],
    ["what is no Base64", "!"],
    ["what is no card", packed('["no card"]')],
    ["one card too many", packed("{}\n{}")],
    ["a card and something else", packed("{}\nnone")],
  ])("with %s for its card is none of ours", (_, text) => {
    const body = JSON.parse(bodyOf(queued("417")));
    expect(readMessage(JSON.stringify({ ...body, packed: text }))).toBeUndefined();
  });

  test("without a card is none of ours", () => {
    const body = JSON.parse(bodyOf(queued("417")));
    expect(readMessage(JSON.stringify({ ...body, cards: [], packed: packed("") }))).toBeUndefined();
  });
});
