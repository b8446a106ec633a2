import { en } from "@scorecard-pipeline/card-files/words/en";
import { expect, test } from "vitest";
import { createTableSession } from "../../portal/tables/table-session.ts";

const table = {
  kind: "csv" as const,
  header: ["ExternalID", "Comment"],
  rows: [
    ["used", "another round"],
    ["new", "a round"],
  ],
  numbers: [2, 3],
};
const columns = new Map([
  ["ExternalID", "ExternalID"],
  ["Comment", "Comment"],
]);

test("rows that would replace cards of other players can be sent once a person has said that they are meant", async () => {
  const preferred: boolean[] = [];
  const client = {
    async validate(texts: readonly string[], { anyCorrection = false } = {}) {
      preferred.push(anyCorrection);
      const entries = texts.map((text, index) => {
        const { ExternalID: externalId } = JSON.parse(text) as { ExternalID: string };
        const isRefused = externalId === "used" && !anyCorrection;
        const errors = [
          { index, externalId, pointer: "/ExternalID", code: "external_id_reused", detail: "" },
        ];
        return {
          index,
          externalId,
          ...(isRefused ? { status: 422, errors } : { status: 201, warnings: [] }),
        };
      });
      return { cards: entries };
    },
  };
  const session = createTableSession(table, columns, {
    client: client as never,
    journal: { known: 0, has: () => false, add: async () => undefined },
    texts: en,
    onChange: () => undefined,
    pause: async () => undefined,
  });
  await session.check();
  expect(session.progress()).toMatchObject({ faulty: 1, reused: 1, ready: 1 });
  await session.allowCorrections();
  expect(session.progress()).toMatchObject({ faulty: 0, reused: 0, ready: 2 });
  expect(preferred).toEqual([false, true]);
});
