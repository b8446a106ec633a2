import { describe, expect, test } from "vitest";
import { readEcho } from "../../../core/union/echo.ts";

const idOfA = "6F9619FF-8B86-4011-B42D-00C04FC964FF";
const idOfB = "7F9619FF-8B86-4011-B42D-00C04FC964FF";
const otherId = "9F9619FF-8B86-4011-B42D-00C04FC964FF";

const cardOf = (ID: string, ExternalID: string) => ({
  ID,
  ExternalID,
  CreateDateTime: "20260601T120000",
  HCP: "158000",
  Comment: "Blæst på 7’eren",
  Course: { CourseID: otherId, TeeSlope: 127, Holes: [{ Number: 1, Par: 4, Index: 18 }] },
  Round: { HolesPlayed: 1, RoundType: 1, TournamentName: null },
  Player: { FullName: "Jørgen Åkjær", UnionID: "1-1" },
  Result: { Strokes: [5], TotalStrokes: 5, IsQualifying: true },
});
const a = cardOf(idOfA, "a");
const b = cardOf(idOfB, "b");
const cards = [a, b];
const toPosted = (sent: readonly { readonly ExternalID: string }[]) =>
  sent.map((card) => ({ externalId: card.ExternalID, card: JSON.stringify(card) }));
const find = (text: string, sent: readonly { readonly ExternalID: string }[] = cards) =>
  [...readEcho(text, toPosted(sent)).echoed].sort().join(" ");
const nameOnly = ({ ExternalID }: typeof a) => ({ ExternalID });
const { ID: _id, ...aWithoutId } = a;

type Answer = readonly [name: string, answer: unknown];

/** Answers to the cards a and b. */
const echoesOfBoth: readonly Answer[] = [
  ["the cards as they were sent", cards],
  ["the cards in another order", [b, a]],
  ["the cards, repeated", [a, b, a]],
  ["the cards among others, and among what is no card", [cardOf(otherId, "x"), null, a, 7, "b", [], {}, b]],
  ["their ExternalIDs only", cards.map(nameOnly)],
  ["their ExternalIDs in another case", [{ ExternalID: "A" }, { ExternalID: "B" }]],
  ["their ExternalIDs with blanks", [{ ExternalID: " a" }, { ExternalID: "b " }]],
  ["their ExternalIDs with an added field", cards.map((card) => ({ ...nameOnly(card), Extra: 1 }))],
  ["their IDs only, in another case", cards.map(({ ID }) => ({ Id: ID.toLowerCase() }))],
  ["their IDs in braces", cards.map(({ ID, ...card }) => ({ ...card, ID: ID.toLowerCase() }))],
  ["their IDs, and no ExternalID", cards.map((card) => ({ ...card, ExternalID: null }))],
  [
    "an empty ID",
    [
      { ...a, ID: "" },
      { ...b, ID: null },
    ],
  ],
  ["field names in lower case", [{ externalid: "a", comment: a.Comment }, { externalID: "b" }]],
  ["nested field names in lower case", cards.map((card) => ({ ...card, Result: { strokes: [5] } }))],
  ["texts as numbers", cards.map((card) => ({ ...card, HCP: 158_000 }))],
  ["numbers as texts", cards.map((card) => ({ ...card, Course: { TeeSlope: "127.0" } }))],
  ["a boolean as a text", cards.map((card) => ({ ...card, Result: { IsQualifying: "True" } }))],
  ["a timestamp with separators", cards.map((card) => ({ ...card, CreateDateTime: "2026-06-01T12:00:00" }))],
  ["names in decomposed Unicode", cards.map((card) => ({ ...card, Comment: card.Comment.normalize("NFD") }))],
  ["a text with blanks around it", cards.map((card) => ({ ...card, Comment: ` ${card.Comment} ` }))],
  ["null for a field that was sent", cards.map((card) => ({ ...card, Comment: null, Result: null }))],
  ["a value for a field that was null", cards.map((card) => ({ ...card, Round: { TournamentName: "" } }))],
  ["fields that were added, at any depth", cards.map((card) => ({ ...card, Serial: 7, Round: { Day: 1 } }))],
  ["a status of success", cards.map((card) => ({ ...card, Status: 201 }))],
  ["a status of success in words", cards.map((card) => ({ ...card, Status: "Accepted" }))],
  ["a status that waits for the processing", cards.map((card) => ({ ...card, Status: "Unprocessed" }))],
  ["a message of success", cards.map((card) => ({ ...nameOnly(card), Message: "OK" }))],
  [
    "a message beside a status of success",
    cards.map((card) => ({ ...nameOnly(card), Status: 200, Message: "x" })),
  ],
  ["a message without errors", cards.map((card) => ({ ...card, Message: "Saved with 0 errors" }))],
  ["an empty message", cards.map((card) => ({ ...nameOnly(card), Message: "" }))],
  [
    "empty errors",
    cards.map((card) => ({ ...card, Errors: [], Error: null, ErrorMessage: "", ErrorCode: 0 })),
  ],
  [
    "errors that say that there are none",
    cards.map((card) => ({ ...card, Error: "None", HasErrors: false })),
  ],
  ["an object of errors without any", cards.map((card) => ({ ...card, Error: { Code: 0, Text: "" } }))],
  ["warnings", cards.map((card) => ({ ...card, Warnings: ["The tee is unusual."] }))],
  ["success that is true", cards.map((card) => ({ ...card, Success: true }))],
  ["the cards inside an object", { Scorecards: cards }],
  ["the cards inside two objects", { Data: { Scorecards: cards } }],
  ["the cards inside an object with an ID of its own", { ID: otherId, Items: cards, Status: "OK" }],
  ["the cards by their names", { a, b }],
  ["empty lists of refused cards", { Accepted: cards, Rejected: [], Errors: null, Failed: 0 }],
  ["a 207 in which each has a status of success", cards.map((card) => ({ status: 201, body: card }))],
  ["each in a list of its own", [[a], [b]]],
  ["the cards inside five objects", { Data: { Answer: { Body: { Cards: { Items: cards } } } } }],
];

/** Answers to the cards a and b that show that a is at the exchange, and do not show it of b. */
const echoesOfA: readonly Answer[] = [
  ["a by itself", a],
  ["a's ExternalID by itself", { ExternalID: "a" }],
  ["a, and no b", [a]],
  ["b in a list of rejected cards", { Accepted: [a], Rejected: [b] }],
  ["b's name in a list of rejected cards", { Accepted: [a], Rejected: ["b"] }],
  ["b's ID in a list of rejected cards", { Accepted: [a], Rejected: [idOfB] }],
  ["b in a list of failed cards with a longer name", { Cards: [a], failed_scorecards: [nameOnly(b)] }],
  ["b in a list of invalid cards", { Valid: [a], Invalid: [b] }],
  ["b in a list in Danish", { Modtaget: [a], Afviste: [b] }],
  ["b in a list of duplicates", { Stored: [a], Duplicates: [b] }],
  [
    "b as a card and in a list of errors",
    { Cards: cards, Errors: [{ ExternalID: "b", Message: "Unknown tee" }] },
  ],
  ["b as a card and an error by its name", { Cards: cards, Errors: { b: "Unknown tee" } }],
  ["b as a card and one error", { Cards: cards, Error: { ExternalID: "b", Message: "Unknown tee" } }],
  ["b inside a list of errors", { Cards: [a], Errors: [{ Scorecard: b, Text: "Unknown tee" }] }],
  ["b with a status of 422", [a, { ...b, Status: 422 }]],
  ["b with a status of 500 as a text", [a, { ...b, StatusCode: "500" }]],
  ["b with a status of 400 in words", [a, { ...b, httpStatus: "400 Bad Request" }]],
  ["b with a negative status", [a, { ...b, status: -1 }]],
  ["b with the status Rejected", [a, { ...b, Status: "Rejected" }]],
  ["b with the status Error", [a, { ...b, status: "ERROR" }]],
  ["b with the state not accepted", [a, { ...b, State: "Not accepted" }]],
  ["b with the status Afvist", [a, { ...b, Status: "Afvist" }]],
  ["b with errors", [a, { ...b, Errors: ["Unknown tee"] }]],
  ["b with one error", [a, { ...b, Error: { Code: 17 } }]],
  ["b with a message of an error", [a, { ...b, ErrorMessage: "Unknown tee" }]],
  ["b with errors of validation", [a, { ...b, validation_errors: { TeeID: ["unknown"] } }]],
  ["b with a code of an error", [a, { ...b, ErrorCode: 17 }]],
  ["b with a message that says rejected", [a, { ...b, Message: "Rejected: unknown tee" }]],
  ["b without success", [a, { ...b, Success: false }]],
  ["b not accepted", [a, { ...b, Accepted: "false" }]],
  ["b with another ID", [a, { ...b, ID: otherId }]],
  ["b with an ID of zeros", [a, { ...b, ID: "00000000-0000-0000-0000-000000000000" }]],
  ["b's name with another ID", [a, { ExternalID: "b", ID: otherId }]],
  ["b with a's ID", [a, { ...b, ID: idOfA }]],
  ["b's ID with another name", [a, { ...b, ExternalID: "c" }]],
  ["b with another comment", [a, { ...b, Comment: "another" }]],
  ["b with another stroke", [a, { ...b, Result: { ...b.Result, Strokes: [4] } }]],
  ["b with fewer strokes", [a, { ...b, Result: { ...b.Result, Strokes: [] } }]],
  ["b without a stroke", [a, { ...b, Result: { ...b.Result, Strokes: [null] } }]],
  ["b with another hole", [a, { ...b, Course: { Holes: [{ Number: 1, Par: 5 }] } }]],
  ["b with a text for an object", [a, { ...b, Result: "5 strokes" }]],
  ["b with a boolean that has changed", [a, { ...b, Result: { IsQualifying: false } }]],
  ["b with the first half of a comment", [a, { ...b, Comment: "Blæst" }]],
  ["b with letters that were lost", [a, { ...b, Comment: b.Comment.replaceAll("æ", "?") }]],
  ["b's name with a message", [a, { ExternalID: "b", Message: "Database is read-only" }]],
  ["b's names with a reason", [a, { ID: idOfB, ExternalID: "b", Reason: "closed" }]],
  ["b, and b once more with a status of failure", [a, b, { ExternalID: "b", Status: 409 }]],
  [
    "a 207 with a status of failure around b",
    [
      { status: 201, body: a },
      { status: 422, body: b },
    ],
  ],
  ["a 207 with an error beside b", { responses: [{ card: a }, { card: b, error: "Unknown tee" }] }],
  [
    "a 207 of names with statuses",
    [
      { externalId: "a", status: 201 },
      { externalId: "b", status: 422 },
    ],
  ],
  ["b as a text in the list", [a, "b"]],
  ["b inside another card", [a, { ExternalID: "x", Earlier: b }]],
  ["an error about b with an ID of its own", { Cards: cards, Errors: [{ ID: otherId, ExternalID: "b" }] }],
];

/** Answers to the cards a and b that show neither of them at the exchange. */
const echoesOfNone: readonly Answer[] = [
  ["nothing", []],
  ["null", null],
  ["their names as texts", ["a", "b"]],
  ["their number", { Accepted: 2 }],
  ["a name that is null", [{ ExternalID: null }]],
  ["a message", { Message: "ok" }],
  ["a message with a name", { Message: "Database is read-only", ExternalID: "a" }],
  ["a status of failure around the cards", { Status: 422, Scorecards: cards }],
  ["a status in words around the cards", { Status: "Failed", Data: { Scorecards: cards } }],
  ["no success around the cards", { success: false, cards }],
  ["an error that names no card", { Errors: ["Database is read-only"], Scorecards: cards }],
  ["an error with an index", { Errors: [{ Index: 1, Message: "Unknown tee" }], Scorecards: cards }],
  ["a message that refuses", { Message: "Database is read-only", Scorecards: cards }],
  ["a number of rejected cards", { Rejected: 1, Scorecards: cards }],
  ["a list of rejected cards only", { Rejected: cards }],
  ["an error about both", { Scorecards: cards, Errors: [{ Scorecard: b, Before: { Scorecard: a } }] }],
  ["the cards as a text", JSON.stringify(cards)],
  ["other cards", [cardOf(otherId, "c")]],
  [
    "fields of names that every object has",
    { toString: 1, Status: { toString: 1 }, Rejected: [{ constructor: 1 }] },
  ],
];

describe.each([
  ["a and b", "a b", echoesOfBoth],
  ["a", "a", echoesOfA],
  ["no card", "", echoesOfNone],
])("an answer is an echo of %s if it has", (_, expected, answers) => {
  test.each(answers)("%s", (_name, answer) => {
    expect(find(JSON.stringify(answer))).toBe(expected);
  });
});

test.each(["", "<html>OK</html>", "{", '[{"ExternalID":"a"'])(
  "a text that is not JSON echoes no card: %j",
  (text) => {
    expect(find(text)).toBe("");
  },
);

test("the table has at least 60 answers, and each its own name", () => {
  const names = [...echoesOfBoth, ...echoesOfA, ...echoesOfNone].map(([name]) => name);
  expect(names.length).toBeGreaterThanOrEqual(100);
  expect(new Set(names).size).toBe(names.length);
});

describe("a card with zeros in front of its ExternalID", () => {
  const sent = [cardOf(idOfA, "0417")];
  test.each([
    ["a number and the ID", { ...cardOf(idOfA, "0417"), ExternalID: 417 }, "0417"],
    ["a number only", { ExternalID: 417 }, ""],
    ["the text", { ExternalID: "0417" }, "0417"],
  ])("is echoed by %s: %j", (_, element, expected) => {
    expect(find(JSON.stringify([element]), sent)).toBe(expected);
  });
});

test("a number is the ExternalID of the same digits", () => {
  expect(find('[{"ExternalID":417}]', [cardOf(idOfA, "417")])).toBe("417");
});

test("an ExternalID counts in either form of Unicode", () => {
  expect(find(JSON.stringify([{ ExternalID: "ål".normalize("NFD") }]), [cardOf(idOfA, "ål")])).toBe("ål");
});

test("a card without an ID is found by its ExternalID, whatever ID the exchange has given it", () => {
  const { ID: _, ...sent } = a;
  expect(find(JSON.stringify([a]), [sent])).toBe("a");
  expect(find(JSON.stringify([{ ...a, Comment: "another" }]), [sent])).toBe("");
});

test("a card's own fields are compared, and not read as the exchange's words", () => {
  const sent = [{ ...a, Status: "Rejected", Errors: ["three putts"] }];
  expect(find(JSON.stringify([...sent, 1]), sent)).toBe("a");
  expect(find(JSON.stringify([{ ...sent[0], Status: "OK" }]), sent)).toBe("");
});

test("cards whose ExternalIDs differ in case only are not taken for each other", () => {
  const sent = [aWithoutId, { ...aWithoutId, ExternalID: "A" }];
  expect(find('[{"ExternalID":"A"}]', sent)).toBe("A");
  expect(find('[{"ExternalID":"a "}]', sent)).toBe("");
});

test("an ID that two cards share says nothing of either", () => {
  expect(find(JSON.stringify([{ ID: idOfA }]), [a, cardOf(idOfA, "b")])).toBe("");
});

test("an answer that is nested too deep echoes no card", () => {
  expect(find(`${'{"x":'.repeat(5000)}${JSON.stringify(a)}${"}".repeat(5000)}`)).toBe("");
});

test.each<[string, unknown, readonly (readonly [string, number])[]]>([
  ["its element", [a, { ...b, Status: 422 }], [["b", 422]]],
  ["its element, in words", [a, { ...b, httpStatus: "400 Bad Request" }], [["b", 400]]],
  [
    "around its element",
    [
      { status: 201, body: a },
      { status: 422, body: b },
    ],
    [["b", 422]],
  ],
  ["two levels around its element", { Status: 422, Errors: { Success: false, Items: [b] } }, [["b", 422]]],
  ["a list of errors, and none of its own", { Cards: [a], Errors: [{ ExternalID: "b" }] }, []],
  ["a status in words only", [a, { ...b, Status: "Rejected" }], []],
  ["its own field", [{ ...a, Status: 422 }], [["a", 422]]],
])("the status of a refused card is read from %s", (_, answer, refused) => {
  expect([...readEcho(JSON.stringify(answer), toPosted(cards)).refused]).toEqual(refused);
});

test("a card's own status is not read as the exchange's", () => {
  const sent = [{ ...a, Status: 422 }];
  expect([...readEcho(JSON.stringify([{ ...sent[0], Errors: ["x"] }]), toPosted(sent)).refused]).toEqual([]);
});
