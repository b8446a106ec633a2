import { expect, test } from "vitest";
import { exchange } from "../../../core/union/exchange.ts";
import { decodeResponse } from "../../../core/union/response-text.ts";
import { answeringUnion } from "./answering-union.ts";

const text = "Jørgen Åkjær";
const latin1 = Buffer.from(text, "latin1");

test.each([
  ["UTF-8 without a charset", Buffer.from(text), "application/json", text],
  ["UTF-8 without a type", Buffer.from(text), undefined, text],
  ["UTF-8 with its charset", Buffer.from(text), "application/json; charset=UTF-8", text],
  ["UTF-8 with its mark in front", Buffer.from(`\uFEFF${text}`), "application/json", text],
  ["UTF-8 with a charset that nobody knows", Buffer.from(text), "application/json; charset=x", text],
  ["Latin-1 with its charset", latin1, 'application/json;charset="ISO-8859-1"', text],
  ["windows-1252 with its charset", Buffer.of(0x80), "text/json; Charset=windows-1252", "€"],
  ["Latin-1 without a charset", latin1, "application/json", text],
  [
    "UTF-8 beside a text in Latin-1",
    Buffer.concat([Buffer.from(`["${text}","`), latin1, Buffer.from('"]')]),
    undefined,
    `["${text}","${text}"]`,
  ],
  ["Latin-1 that says that it is UTF-8", latin1, "application/json; charset=utf-8", text],
  ["Latin-1 whose bytes could be UTF-8", Buffer.from("Ã¸", "latin1"), "a/b; charset=latin1", "Ã¸"],
  ["UTF-16 with its charset", Buffer.from(text, "utf16le"), "application/json; charset=utf-16le", text],
])("%s is decoded", (_, bytes, contentType, expected) => {
  expect(decodeResponse(bytes, contentType)).toBe(expected);
});

const account = { username: "green", password: "", unionApiSet: "green", token: "" };

test.each([
  ["at once", (card: string) => ({ "Content-Length": String(card.length + 2) })],
  ["in chunks", () => ({})],
])("a card's name in Latin-1 is found in an echo that is sent %s", async (_, headersOf) => {
  const card = JSON.stringify({ ExternalID: "blæst" });
  const address = await answeringUnion((_request, response) => {
    response.writeHead(200, { "Content-Type": "application/json", ...headersOf(card) });
    response.end(Buffer.from(`[${card}]`, "latin1"));
  });
  const post = exchange(address, "path", 60_000, () => new Date(0));
  const result = await post(account, [{ externalId: "blæst", card }], { closesConnection: false });
  expect(result).toMatchObject({ echoed: new Set(["blæst"]) });
});
