import { expect, test } from "vitest";
import { ProblemError } from "../../../functions/http/problem.ts";
import { memberNumbers, playerNumber } from "../../../functions/read-members/member-numbers.ts";

/** A query as API Gateway reads it: what follows a second question mark is part of the value before it. */
const query = (text: string) => {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    values.set(name.toLowerCase(), [...(values.get(name.toLowerCase()) ?? []), value]);
  }
  return values;
};

function faultOf(
  text: string,
  read: (of: ReturnType<typeof query>) => unknown = memberNumbers,
): Record<string, unknown> {
  try {
    read(query(text));
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
  }
  throw new Error(`${text} was understood.`);
}

test.each([
  ["lifetimeID=010190-001", { lifeTimeId: "010190-001" }],
  ["unionID=1016-100", { unionId: "1016-100" }],
  ["lifetimeID=010190-001&unionID=1016-100", { lifeTimeId: "010190-001", unionId: "1016-100" }],
  ["LIFETIMEID=010190-001&unionid=1016-100", { lifeTimeId: "010190-001", unionId: "1016-100" }],
  ["lifetimeID=010190-001?unionID=1016-100", { lifeTimeId: "010190-001", unionId: "1016-100" }],
  ["unionid=1016-100?LifeTimeId=010190-001", { lifeTimeId: "010190-001", unionId: "1016-100" }],
  ["lifetimeID=010190-001?", { lifeTimeId: "010190-001" }],
  ["lifetimeID=&unionID=1016-100", { unionId: "1016-100" }],
  ["lifetimeID=?unionID=1016-100", { unionId: "1016-100" }],
  ["lifetimeID=%20010190-001", { lifeTimeId: "010190-001" }],
  ["lifetimeID=123456789012", { lifeTimeId: "123456789012" }],
  ["unionID=1016-100&unionID=1016-100&other=1", { unionId: "1016-100" }],
])("%s is understood", (text, numbers) => {
  expect(memberNumbers(query(text))).toEqual(numbers);
});

test.each(["", "lifetimeID=", "lifetime=010190-001", "?"])("%j names nobody, and is told how to", (text) => {
  expect(faultOf(text)).toMatchObject({
    status: 400,
    title: "Which member?",
    detail: expect.stringMatching(/lifetimeID .*xxxxxx-xxx.* unionID/),
  });
});

test.each([
  ["lifetimeID=987654", "lifetimeID", "xxxxxx-xxx"],
  ["unionID=987654", "unionID", "hyphen"],
  ["unionID=987654-1&unionID=987654-2", "unionID", "once"],
  ["lifetimeID=010190-001?unionID=987654", "unionID", "hyphen"],
])("of %s the fault is named, and nothing that was sent is repeated", (text, parameter, words) => {
  const fault = faultOf(text);
  expect(fault).toMatchObject({ status: 400, parameters: [{ parameter }] });
  expect(fault.detail).toContain(words);
  expect(JSON.stringify(fault)).not.toContain("987654");
});

test("every fault is named at once", () => {
  expect(faultOf("lifetimeID=1&unionID=2").parameters).toHaveLength(2);
});

test.each([
  "unionid=1016-100",
  "unionID=1016-100",
  "UNIONID=%201016-100&lifetimeID=1",
  "other=1?unionid=1016-100",
])("the player whose record is asked for is read from %s", (text) => {
  expect(playerNumber(query(text))).toBe("1016-100");
});

test.each(["", "unionid=", "lifetimeID=010190-001"])(
  "%j names no player whose record to read, and is told how to",
  (text) => {
    expect(faultOf(text, playerNumber)).toMatchObject({
      status: 400,
      title: "Which player?",
      detail: expect.stringMatching(/^Name the player by unionid .*hyphen/),
    });
  },
);

test.each(["unionid=987654", "unionid=987654-1&unionID=987654-2", "unionid=987654-1/../x"])(
  "of a player named by %s the fault is named, and nothing that was sent is repeated",
  (text) => {
    const fault = faultOf(text, playerNumber);
    expect(fault).toMatchObject({ status: 400, parameters: [{ parameter: "unionid" }] });
    expect(JSON.stringify(fault)).not.toContain("987654");
  },
);
