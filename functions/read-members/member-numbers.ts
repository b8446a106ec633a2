import { isMembersLifeTimeId, isUnionId } from "../../core/formats/person-identifiers.ts";
import type { MemberNumbers } from "../../core/union/member-register.ts";
import { ProblemError, problem } from "../http/problem.ts";

interface Parameter {
  /** As the union's document writes it. */
  readonly name: string;
  readonly form: string;
  readonly isOfForm: (text: string) => boolean;
}

const lifeTimeId: Parameter = {
  name: "lifetimeID",
  form: "a person's identifier of the form xxxxxx-xxx, e.g. 010190-001",
  isOfForm: isMembersLifeTimeId,
};
const unionId: Parameter = {
  name: "unionID",
  form: "the official club number and the member number joined by a hyphen, e.g. 1016-100",
  isOfForm: isUnionId,
};

/**
 * Reads from a query who is looked for. Names may be in any case, and a second question mark counts as an ampersand,
 * since the union's own example joins the parameters by it.
 *
 * @param query values by name in lower case
 * @throws ProblemError 400 where there is neither identifier, or one is not of its form; it repeats nothing that was sent
 * @see union-api, Member lookup
 */
export function memberNumbers(query: ReadonlyMap<string, readonly string[]>): MemberNumbers {
  const sent = [...query].flatMap(([name, values]) => values.flatMap((value) => separated(name, value)));
  const faults: { parameter: string; detail: string }[] = [];

  function read({ name, form, isOfForm }: Parameter): string | undefined {
    const values = sent.filter(([other, value]) => other === name.toLowerCase() && value !== "");
    const [value, ...others] = new Set(values.map(([, text]) => text));
    if (value === undefined) return undefined;
    if (others.length > 0) faults.push({ parameter: name, detail: `Give ${name} once.` });
    else if (!isOfForm(value)) faults.push({ parameter: name, detail: `${name} is ${form}.` });
    return value;
  }

  const numbers = { lifeTimeId: read(lifeTimeId), unionId: read(unionId) };
  if (faults.length > 0) {
    const detail = faults.map((fault) => fault.detail).join(" ");
    throw new ProblemError({ ...problem(400, "Parameter not understood", detail), parameters: faults });
  }
  if (numbers.lifeTimeId === undefined && numbers.unionId === undefined) {
    const detail = `Name a member by ${lifeTimeId.name} (${lifeTimeId.form}) or ${unionId.name} (${unionId.form}), or by both.`;
    throw new ProblemError(problem(400, "Which member?", detail));
  }
  return numbers;
}

/** The parameters in one value: `a?unionID=b` is a value and another parameter. */
function separated(name: string, value: string): [name: string, value: string][] {
  const [own = "", ...further] = value.split("?");
  const others = further.map((pair): [string, string] => {
    const [otherName = "", ...rest] = pair.split("=");
    return [otherName.toLowerCase(), rest.join("=").trim()];
  });
  return [[name, own.trim()], ...others];
}
