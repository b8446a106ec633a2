import { expect, test } from "vitest";
import {
  applyStatement,
  isSameValue,
  keyOfStatement,
  parseStatement,
  StatementError,
  UnsupportedStatementError,
} from "../../../../packages/local-aws/dynamodb/statement.ts";

const S = (text: string) => ({ S: text });
const N = (number: number) => ({ N: String(number) });

const insert = `INSERT INTO "cards" VALUE {'id': ?, 'version': ?}`;
const update = `UPDATE "cards" SET "state" = ? SET "at" = ? REMOVE "next" REMOVE "error" WHERE "id" = ? AND "version" = ? AND "state" IN [?, ?]`;

test("an insert has its attributes in the order of their parameters", () => {
  expect(parseStatement(insert)).toEqual({
    kind: "insert",
    table: "cards",
    attributes: ["id", "version"],
    parameterCount: 2,
  });
});

test("an update has its changes, and its conditions with the places of their parameters", () => {
  expect(parseStatement(update)).toEqual({
    kind: "update",
    table: "cards",
    sets: ["state", "at"],
    removes: ["next", "error"],
    conditions: [
      { attribute: "id", operator: "=", first: 2, count: 1 },
      { attribute: "version", operator: "=", first: 3, count: 1 },
      { attribute: "state", operator: "IN", first: 4, count: 2 },
    ],
    parameterCount: 6,
  });
});

test("the same text is parsed once", () => {
  expect(parseStatement(insert)).toBe(parseStatement(insert));
});

test.for([
  `UPDATE "cards" SET "a" = ? WHERE "id" = ?`,
  `UPDATE "cards" REMOVE "a" WHERE "id" = ?`,
  `UPDATE "cards" REMOVE "a" SET "b" = ? WHERE "c" IN [?] AND "id" = ?`,
  `UPDATE "a.table-name_1"\n  SET "an attribute" = ?\n  WHERE "id"=? AND "WHERE" IN [ ?,? ]`,
  `INSERT INTO "cards" VALUE {'id':?}`,
])("%s is a statement", (text) => {
  expect(parseStatement(text)).toMatchObject({ parameterCount: text.split("?").length - 1 });
});

test.for([
  "",
  "?",
  `SELECT * FROM "cards" WHERE "id" = ?`,
  `DELETE FROM "cards" WHERE "id" = ?`,
  `insert into "cards" value {'id': ?}`,
  `INSERT INTO cards VALUE {'id': ?}`,
  `INSERT INTO "cards" VALUE {}`,
  `INSERT INTO "cards" VALUE {"id": ?}`,
  `INSERT INTO "cards" VALUE {'id': 'a'}`,
  `INSERT INTO "cards" VALUE {'id': ?,}`,
  `INSERT INTO "cards" VALUE {'id': ?, 'id': ?}`,
  `INSERT INTO "cards" VALUE {'id': ?} RETURNING ALL OLD *`,
  `UPDATE "cards" WHERE "id" = ?`,
  `UPDATE "cards" SET "a" = ?`,
  `UPDATE "cards" SET "a" = ?, "b" = ? WHERE "id" = ?`,
  `UPDATE "cards" SET "a" = 1 WHERE "id" = ?`,
  `UPDATE "cards" SET "a" = "a" + ? WHERE "id" = ?`,
  `UPDATE "cards" SET "a"."b" = ? WHERE "id" = ?`,
  `UPDATE "cards" SET "" = ? WHERE "id" = ?`,
  `UPDATE "cards" SET "it""s" = ? WHERE "id" = ?`,
  `UPDATE "cards" SET "a" = ? SET "a" = ? WHERE "id" = ?`,
  `UPDATE "cards" SET "a" = ? REMOVE "a" WHERE "id" = ?`,
  `UPDATE "cards" SET "a" = ? WHERE "id" = ? OR "b" = ?`,
  `UPDATE "cards" SET "a" = ? WHERE "id" > ?`,
  `UPDATE "cards" SET "a" = ? WHERE "id" = ? AND "b" IN []`,
  `UPDATE "cards" SET "a" = ? WHERE "id" = ? AND "b" IN (?, ?)`,
  `UPDATE "cards" SET "a" = ? WHERE "id" = ? AND`,
  `UPDATE "cards" SET "a" = ? WHERE "id" = ?;`,
  `UPDATE "${"c".repeat(8192)}" SET "a" = ? WHERE "id" = ?`,
])("%s is refused by an error that names it", (text) => {
  expect(() => parseStatement(text)).toThrow(UnsupportedStatementError);
  expect(() => parseStatement(text)).toThrow(`does not support the statement ${text}`);
});

test("a statement names the key of its item", () => {
  expect(keyOfStatement(parseStatement(insert), [S("a"), N(1)], ["id"])).toEqual({ id: S("a") });
  const parameters = [S("delivered"), N(9), S("a"), N(1), S("queued"), S("retrying")];
  expect(keyOfStatement(parseStatement(update), parameters, ["id"])).toEqual({ id: S("a") });
  expect(keyOfStatement(parseStatement(update), parameters, ["id", "version"])).toEqual({
    id: S("a"),
    version: N(1),
  });
});

test.for([
  [insert, [S("a")], "Number of parameters"],
  [insert, [S("a"), N(1), N(2)], "Number of parameters"],
  [`INSERT INTO "cards" VALUE {'version': ?}`, [N(1)], "Key attribute should be present in the item: Key id"],
  [
    `UPDATE "cards" SET "a" = ? WHERE "version" = ?`,
    [N(1), N(1)],
    "mandatory equality on all key attributes",
  ],
  [
    `UPDATE "cards" SET "a" = ? WHERE "id" IN [?]`,
    [N(1), S("a")],
    "mandatory equality on all key attributes",
  ],
  [`UPDATE "cards" SET "id" = ? WHERE "id" = ?`, [S("b"), S("a")], "Cannot update attribute id"],
  [`UPDATE "cards" REMOVE "id" WHERE "id" = ?`, [S("a")], "Cannot update attribute id"],
] as const)("%s with parameters %j does not fit: %s", ([text, parameters, why]) => {
  const bind = () => keyOfStatement(parseStatement(text), parameters as readonly object[], ["id"]);
  expect(bind).toThrow(StatementError);
  expect(bind).toThrow(why);
});

test("an insert makes an item where there is none", () => {
  const statement = parseStatement(insert);
  expect(applyStatement(statement, [S("a"), N(1)], undefined)).toEqual({
    item: { id: S("a"), version: N(1) },
  });
  expect(applyStatement(statement, [S("a"), N(1)], { id: S("a") })).toEqual({ failure: "DuplicateItem" });
});

test("an update changes what it names, and leaves the item it was given as it is", () => {
  const item = { id: S("a"), version: N(1), state: S("queued"), next: N(5), content: { B: "AQID" } };
  const before = structuredClone(item);
  const parameters = [S("delivered"), N(9), S("a"), N(1), S("queued"), S("retrying")];
  expect(applyStatement(parseStatement(update), parameters, item)).toEqual({
    item: { id: S("a"), version: N(1), state: S("delivered"), at: N(9), content: { B: "AQID" } },
  });
  expect(item).toEqual(before);
});

test.for([
  ["there is no item", undefined],
  ["a value differs", { id: S("a"), version: N(2), state: S("queued") }],
  ["a value has another type", { id: S("a"), version: S("1"), state: S("queued") }],
  ["an attribute is missing", { id: S("a"), state: S("queued") }],
  ["a value is not in the list", { id: S("a"), version: N(1), state: S("delivered") }],
] as const)("an update fails if %s", ([, item]) => {
  const parameters: object[] = [S("delivered"), N(9), S("a"), N(1), S("queued"), S("retrying")];
  expect(applyStatement(parseStatement(update), parameters, item)).toEqual({
    failure: "ConditionalCheckFailed",
  });
});

test.for([
  [S("a"), S("a"), true],
  [S("a"), S("b"), false],
  [S("1"), N(1), false],
  [{ B: "AQID" }, { B: "AQID" }, true],
  [{ B: Buffer.from("ab") }, { B: new Uint8Array([97, 98]) }, true],
  [{ B: Buffer.from("ab") }, { B: Buffer.from("ac") }, false],
  [{ NULL: true }, { NULL: true }, true],
  [{ SS: ["a", "b"] }, { SS: ["b", "a"] }, true],
  [{ SS: ["a", "b"] }, { SS: ["a", "c"] }, false],
  [{ BS: [Buffer.from("a")] }, { BS: [Buffer.from("a")] }, true],
  [{ L: [N(1), N(2)] }, { L: [N(1), N(2)] }, true],
  [{ L: [N(1), N(2)] }, { L: [N(2), N(1)] }, false],
  [{ M: { a: N(1), b: S("x") } }, { M: { b: S("x"), a: N(1) } }, true],
  [{ M: { a: N(1) } }, { M: { a: N(1), b: N(2) } }, false],
  [{ M: { SS: S("a") } }, { M: { SS: S("a") } }, true],
] as const)("%j and %j are the same: %s", ([one, other, same]) => {
  expect(isSameValue(one, other)).toBe(same);
  expect(isSameValue(other, one)).toBe(same);
});
