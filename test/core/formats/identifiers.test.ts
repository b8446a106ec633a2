import { expect, test } from "vitest";
import {
  guidKey,
  guidSchema,
  identifierPatterns,
  isGuid,
  isLifeTimeId,
  isMembersLifeTimeId,
  isUnionId,
  lifeTimeIdSchema,
  unionIdKey,
  unionIdSchema,
} from "../../../core/formats/identifiers.ts";

test.each([
  "7AABAF90-0000-4552-889B-553D5CE75FC6",
  "7a59ca0a-525b-4884-8161-94572c2de3a2",
  "00000000-0000-0000-0000-000000000000",
])("a GUID may be %s", (text) => {
  expect(isGuid(text)).toBe(true);
  expect(guidSchema.parse(text)).toBe(text);
});

test.each([
  "",
  "7AABAF90-0000-4552-889B-553D5CE75FC",
  "7AABAF90-0000-4552-889B-553D5CE75FC66",
  "{7AABAF90-0000-4552-889B-553D5CE75FC6}",
  "7AABAF9000004552889B553D5CE75FC6",
  "7AABAF90-0000-4552-889B-553D5CE75FG6",
  "7AABAF900-000-4552-889B-553D5CE75FC6",
])("a GUID is not %s", (text) => {
  expect(isGuid(text)).toBe(false);
  expect(guidSchema.safeParse(text).success).toBe(false);
});

test("a GUID is the same in any case", () => {
  expect(guidKey("7a59ca0a-525b-4884-8161-94572c2de3a2")).toBe(
    guidKey("7A59CA0A-525B-4884-8161-94572C2DE3A2"),
  );
});

test.each([
  ["1016-7", "1016-7"],
  ["1016-007", "1016-7"],
  ["01016-7", "1016-7"],
  ["1016-a7", "1016-A7"],
  ["1016-0", "1016-0"],
  ["1016-00", "1016-0"],
  ["1016-700", "1016-700"],
  ["0-1", "0-1"],
])("the UnionID %s is compared as %s", (sent, key) => {
  expect(unionIdKey(sent)).toBe(key);
});

test.each(["160575-026", "010156-A12"])("a LifeTimeID may be %s", (text) => {
  expect(isLifeTimeId(text)).toBe(true);
  expect(lifeTimeIdSchema.parse(text)).toBe(text);
});

test.each([
  "",
  "160575026",
  "160575-02",
  "16057-026",
  "160575-0267",
  "1605750-026",
  "160575_026",
  " 160575-026",
])("a LifeTimeID is not %s", (text) => {
  expect(isLifeTimeId(text)).toBe(false);
  expect(lifeTimeIdSchema.safeParse(text).success).toBe(false);
});

test.each([
  ["160575-026", true],
  ["010156-A12", true],
  ["196005750261", true],
  ["", false],
  ["160575-02", false],
  ["16057-026", false],
  ["160575_026", false],
  ["19600575026", false],
  ["1960057502611", false],
  ["19600575026A", false],
])("whether %s is a member's LifeTimeID: %s", (text, isOne) => {
  expect(isMembersLifeTimeId(text)).toBe(isOne);
  expect(new RegExp(identifierPatterns.membersLifeTimeId).test(text)).toBe(isOne);
});

test.each(["1016-1", "7-123456", "1016-A12"])("a UnionID may be %s", (text) => {
  expect(isUnionId(text)).toBe(true);
  expect(unionIdSchema.parse(text)).toBe(text);
});

test.each(["", "1016", "1016-", "-1", "1016-1-2", "TSTA-1", "1016 - 1", "1016–1"])(
  "a UnionID is not %s",
  (text) => {
    expect(isUnionId(text)).toBe(false);
    expect(unionIdSchema.safeParse(text).success).toBe(false);
  },
);
