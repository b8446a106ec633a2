import { describe, expect, test } from "vitest";
import { readApiSet } from "../../../core/account/api-set.ts";
import { type CardMessage, readMessage, writeMessage } from "../../../core/delivery/message.ts";
import { contentOf } from "../../../core/store/card-content.ts";
import { packJson } from "../../../core/store/packed-json.ts";
import { cardAbroad } from "../scorecard/sample-cards.ts";

const apiSet = readApiSet("north");
if (apiSet === undefined) throw new Error("north is an API set.");
const message = (externalId: string): CardMessage => ({
  apiSet,
  externalId,
  revision: "r1",
  acceptedAt: 1_700_000_000_000,
  content: contentOf({ ExternalID: externalId }),
});

describe("a message", () => {
  test.each(["417", "🏌️‍♀️ hole in one ⛳", "\ufffe\uffff", "\u0000\u001f", `"quoted" \\ud83c`])(
    "about the card %j says the same when it is read",
    (externalId) => {
      const { content, ...about } = message(externalId);
      const { content: read, ...readAbout } = readMessage(writeMessage(message(externalId))) ?? {};
      expect(readAbout).toEqual(about);
      expect(read?.text()).toBe(content.text());
    },
  );

  test("has only characters that SQS takes", () => {
    const body = writeMessage(message("🏌️‍♀️\u0001\ufffe\uffff"));
    expect(body).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd]*$/);
  });

  test("takes a third of the card's own bytes and no more", () => {
    const content = contentOf(cardAbroad());
    const { byteLength } = Buffer.from(writeMessage({ ...message("417"), content }));
    expect(byteLength).toBeLessThan(content.text().length / 2);
  });

  test.each(["", "{", "null", "[]", '{"apiSet":"north"}'])("that reads %j is none of ours", (body) => {
    expect(readMessage(body)).toBeUndefined();
  });

  test.each(["", "bm90IHBhY2tlZA==", "!", Buffer.from(packJson(["no card"])).toString("base64")])(
    "with the card %j is none of ours",
    (card) => {
      const { content: _, ...about } = message("417");
      expect(readMessage(JSON.stringify({ ...about, card }))).toBeUndefined();
    },
  );
});
