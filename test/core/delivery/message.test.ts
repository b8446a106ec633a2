import { describe, expect, test } from "vitest";
import { readApiSet } from "../../../core/account/api-set.ts";
import { type CardMessage, readMessage, writeMessage } from "../../../core/delivery/message.ts";

const apiSet = readApiSet("north");
if (apiSet === undefined) throw new Error("north is an API set.");
const message = (externalId: string): CardMessage => ({
  apiSet,
  externalId,
  revision: "r1",
  acceptedAt: 1_700_000_000_000,
  card: { ExternalID: externalId },
});

describe("a message", () => {
  test.each(["417", "🏌️‍♀️ hole in one ⛳", "\ufffe\uffff", "\u0000\u001f", `"quoted" \\ud83c`])(
    "about the card %j says the same when it is read",
    (externalId) => {
      expect(readMessage(writeMessage(message(externalId)))).toEqual(message(externalId));
    },
  );

  test("has only characters that SQS takes", () => {
    const body = writeMessage(message("🏌️‍♀️\u0001\ufffe\uffff"));
    expect(body).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd]*$/);
  });

  test.each(["", "{", "null", "[]", '{"apiSet":"north"}'])("that reads %j is none of ours", (body) => {
    expect(readMessage(body)).toBeUndefined();
  });
});
