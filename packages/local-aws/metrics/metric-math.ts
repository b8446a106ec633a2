/** The value of a metric or an expression in one period; undefined if there is no data. */
type Value = number | undefined;

/** Reads an expression's next value, with the values of metrics by their id. */
type Term = (valueById: (id: string) => Value) => Value;

const token = /\s*([A-Za-z_]\w*|\d+(?:\.\d+)?|[<>=]=|[-+*/(),<>])/y;

const operators: Readonly<Record<string, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  ">": (left, right) => Number(left > right),
  "<": (left, right) => Number(left < right),
  ">=": (left, right) => Number(left >= right),
  "<=": (left, right) => Number(left <= right),
  "==": (left, right) => Number(left === right),
};

/** Operators by precedence, those that bind loosest first. */
const precedence = [
  [">", "<", ">=", "<=", "=="],
  ["+", "-"],
  ["*", "/"],
] as const;

const functions: Readonly<Record<string, (values: readonly Value[]) => Value>> = {
  FILL: ([value, filler]) => value ?? filler,
  IF: ([condition, held, otherwise]) => (condition === undefined ? undefined : condition ? held : otherwise),
};

function tokenize(expression: string): string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let found = token.exec(expression); found !== null; found = token.exec(expression)) {
    tokens.push(found[1] as string);
  }
  if (tokens.join("") !== expression.replaceAll(/\s/g, "")) {
    throw new Error(`the local run cannot read the metric math ${expression}`);
  }
  return tokens;
}

/**
 * Reads an expression of CloudWatch's metric math: numbers, ids of metrics, operators, `IF` and `FILL`.
 *
 * @throws Error naming the expression if it has anything else
 * @see CloudWatch user guide, Using math expressions with CloudWatch metrics
 */
export function readMetricMath(expression: string): Term {
  const tokens = tokenize(expression);
  const expectToken = (wanted: string): void => {
    const found = tokens.shift();
    if (found !== wanted) throw new Error(`metric math ${expression}: expected ${wanted}, found ${found}`);
  };

  function list(): Term[] {
    const terms = [binary(0)];
    while (tokens[0] === ",") {
      tokens.shift();
      terms.push(binary(0));
    }
    expectToken(")");
    return terms;
  }

  function single(): Term {
    const first = tokens.shift() ?? "";
    if (first === "(") {
      const term = binary(0);
      expectToken(")");
      return term;
    }
    if (/^\d/.test(first)) return () => Number(first);
    if (tokens[0] !== "(") {
      if (/^[a-z]\w*$/.test(first)) return (valueById) => valueById(first);
      throw new Error(`metric math ${expression}: expected a value, found ${first || "the end"}`);
    }
    const called = functions[first];
    if (called === undefined) throw new Error(`the local run does not support ${first} in metric math`);
    tokens.shift();
    const terms = list();
    return (valueById) => called(terms.map((term) => term(valueById)));
  }

  function binary(level: number): Term {
    const own: readonly string[] | undefined = precedence[level];
    if (own === undefined) return single();
    let left = binary(level + 1);
    while (tokens[0] !== undefined && own.includes(tokens[0])) {
      const operator = operators[tokens.shift() as string] as (left: number, right: number) => number;
      const [before, right] = [left, binary(level + 1)];
      left = (valueById) => {
        const [one, other] = [before(valueById), right(valueById)];
        return one === undefined || other === undefined ? undefined : operator(one, other);
      };
    }
    return left;
  }

  const term = binary(0);
  if (tokens.length > 0) throw new Error(`metric math ${expression}: ${tokens.join(" ")} is left over`);
  return term;
}
