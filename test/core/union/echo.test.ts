import { expect, test } from "vitest";
import { echoedCards } from "../../../core/union/exchange.ts";

const posted = [
  { externalId: "first", id: () => "6F9619FF-8B86-4011-B42D-00C04FC964FF" },
  { externalId: "417", id: () => "7F9619FF-8B86-4011-B42D-00C04FC964FF" },
];
const echoed = (echo: unknown) => [...echoedCards(JSON.stringify(echo), posted)].sort();

test.each([
  ["the cards as they were sent", [{ ExternalID: "first" }, { ExternalID: "417" }]],
  ["in another order", [{ ExternalID: "417" }, { ExternalID: "first" }]],
  [
    "with other names in between",
    [{ ExternalID: "x" }, { ExternalID: "417" }, null, 7, { ExternalID: "first" }],
  ],
  ["with names of fields in another case", [{ externalID: "first" }, { externalid: "417" }]],
  ["with ExternalIDs in another case", [{ ExternalID: "FIRST" }, { ExternalID: "417" }]],
  ["with numbers for texts of digits", [{ ExternalID: "first" }, { ExternalID: 417 }]],
  ["by their IDs only, in another case", posted.map(({ id }) => ({ Id: id().toLowerCase() }))],
  ["inside an object", { Scorecards: [{ ExternalID: "first" }, { ExternalID: "417" }] }],
])("an echo of %s holds both", (_, echo) => {
  expect(echoed(echo)).toEqual(["417", "first"]);
});

test("an echo of one card by itself holds that one", () => {
  expect(echoed({ ExternalID: "first" })).toEqual(["first"]);
});

test.each([[[]], [null], ["first"], [[{ ExternalID: null }]], [[{ ID: "first" }]], [{ Message: "ok" }]])(
  "an echo of %j contains none of the posted cards",
  (echo) => {
    expect(echoed(echo)).toEqual([]);
  },
);

test("a response that is not JSON echoes no card", () => {
  expect(echoedCards("<html>OK</html>", posted).size).toBe(0);
});

test("cards whose ExternalIDs differ in case only are not taken for each other", () => {
  const twins = ["a", "A"].map((externalId) => ({ externalId, id: () => undefined }));
  expect([...echoedCards('[{"ExternalID":"A"}]', twins)]).toEqual(["A"]);
});

test("an ID that two cards share says nothing of either", () => {
  const twins = [
    { externalId: "a", id: () => "x" },
    { externalId: "b", id: () => "x" },
  ];
  expect(echoedCards('[{"ID":"x"}]', twins).size).toBe(0);
});
