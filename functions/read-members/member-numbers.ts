import { isMembersLifeTimeId, isUnionId } from "../../core/formats/identifiers.ts";
import type { MemberNumbers } from "../../core/union/member-register.ts";
import { ProblemError, problem } from "../http/problem.ts";

/** Query parameters: values by name in lower case. */
type Query = ReadonlyMap<string, readonly string[]>;

interface Parameter {
  /** As the union writes it. */
  readonly name: string;
  readonly form: string;
  readonly isValid: (text: string) => boolean;
}

const lifeTimeId: Parameter = {
  name: "lifetimeID",
  form: "a person's identifier of the form xxxxxx-xxx, e.g. 010190-001",
  isValid: isMembersLifeTimeId,
};
const unionId: Parameter = {
  name: "unionID",
  form: "the official club number and the member number joined by a hyphen, e.g. 1016-100",
  isValid: isUnionId,
};
/** The union's own app writes it so when it asks for a record. */
const playersUnionId: Parameter = { ...unionId, name: "unionid" };

/**
 * Reads a member's numbers from a query. Names may be in any case, and a second question mark counts as an ampersand, since the
 * union's own example joins the parameters by it.
 *
 * @throws ProblemError 400 if there is no number, or one is invalid; it does not repeat the value
 * @see union-api, Member lookup
 */
export function memberNumbers(query: Query): MemberNumbers {
  const numbers = readParameters(query, { lifeTimeId, unionId });
  if (numbers.lifeTimeId === undefined && numbers.unionId === undefined) {
    const detail = `Name a member by ${lifeTimeId.name} (${lifeTimeId.form}) or ${unionId.name} (${unionId.form}), or by both.`;
    throw new ProblemError(problem(400, "Which member?", detail));
  }
  return numbers;
}

/**
 * Reads the UnionID of the player whose record is asked for, by the same rules.
 *
 * @throws ProblemError 400 if there is none, or it is invalid; it does not repeat the value
 */
export function playerNumber(query: Query): string {
  const { player } = readParameters(query, { player: playersUnionId });
  if (player === undefined) {
    const detail = `Name the player by ${playersUnionId.name} (${playersUnionId.form}).`;
    throw new ProblemError(problem(400, "Which player?", detail));
  }
  return player;
}

/**
 * Reads parameters, each of which may be left out.
 *
 * @throws ProblemError 400 with every parameter that is invalid
 */
function readParameters<Key extends string>(
  query: Query,
  parameters: Readonly<Record<Key, Parameter>>,
): Partial<Record<Key, string>> {
  const sent = [...query].flatMap(([name, values]) => values.flatMap((value) => separated(name, value)));
  const faults: { parameter: string; detail: string }[] = [];

  function read({ name, form, isValid }: Parameter): string | undefined {
    const values = sent.filter(([other, value]) => other === name.toLowerCase() && value !== "");
    const [value, ...others] = new Set(values.map(([, text]) => text));
    if (value === undefined) return undefined;
    if (others.length > 0) faults.push({ parameter: name, detail: `Give ${name} once.` });
    else if (!isValid(value)) faults.push({ parameter: name, detail: `${name} is ${form}.` });
    return value;
  }

  const values = Object.entries<Parameter>(parameters).map(([key, parameter]) => [key, read(parameter)]);
  if (faults.length > 0) {
    const detail = faults.map((fault) => fault.detail).join(" ");
    throw new ProblemError({ ...problem(400, "Parameter not understood", detail), parameters: faults });
  }
  return Object.fromEntries(values) as Partial<Record<Key, string>>;
}

/** Splits a value such as `a?unionID=b`: a value and another parameter. */
function separated(name: string, value: string): [name: string, value: string][] {
  const [own = "", ...further] = value.split("?");
  const others = further.map((pair): [string, string] => {
    const [otherName = "", ...rest] = pair.split("=");
    return [otherName.toLowerCase(), rest.join("=").trim()];
  });
  return [[name, own.trim()], ...others];
}
