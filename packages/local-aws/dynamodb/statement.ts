/**
 * Two kinds of PartiQL statement, parsed and applied to an item. It does no I/O, so that simulated tables in tests can
 * use it as well as the engine.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.html
 */

/** `INSERT INTO "T" VALUE {'a': ?, 'b': ?}` */
interface InsertStatement {
  readonly kind: "insert";
  readonly table: string;
  /** Attributes in the order of their parameters. */
  readonly attributes: readonly string[];
  readonly parameterCount: number;
}

/** An attribute equals one of `count` parameters, of which the first is parameter number `first`. */
interface StatementCondition {
  readonly attribute: string;
  readonly operator: "=" | "IN";
  readonly first: number;
  readonly count: number;
}

/** `UPDATE "T" SET "a" = ? REMOVE "b" WHERE "key" = ? AND "c" IN [?, ?]` */
interface UpdateStatement {
  readonly kind: "update";
  readonly table: string;
  /** Attributes in the order of their parameters, which come before those of the conditions. */
  readonly sets: readonly string[];
  readonly removes: readonly string[];
  readonly conditions: readonly StatementCondition[];
  readonly parameterCount: number;
}

export type Statement = InsertStatement | UpdateStatement;

/** Attribute values by name, in the form of the SDK or of DynamoDB's JSON. */
type StatementItem<Value> = Readonly<Record<string, Value>>;

/** DynamoDB's code for a statement that fails because the item exists, does not exist, or does not meet a condition. */
type ConditionFailure = "DuplicateItem" | "ConditionalCheckFailed";

/** A statement of another form than the two above. */
export class UnsupportedStatementError extends Error {
  override readonly name = "UnsupportedStatementError";

  constructor(text: string) {
    super(
      `The local DynamoDB does not support the statement ${text}. It supports INSERT INTO "T" VALUE {'a': ?} and ` +
        `UPDATE "T" SET "a" = ? REMOVE "b" WHERE "key" = ? AND "c" IN [?, ?], at most ${maxCharacters} characters, each ` +
        "attribute inserted, set or removed once.",
    );
  }
}

/** A statement does not fit its parameters or the table's key; DynamoDB's code is ValidationError. */
export class StatementError extends Error {
  override readonly name = "StatementError";
}

/** DynamoDB's limit on the text of a statement. */
const maxCharacters = 8192;

/** The limit only matters for statements with values instead of parameters in their text. */
const maxCachedStatements = 1000;

const cache = new Map<string, Statement>();

/**
 * Parses a statement; the result is cached by its text.
 *
 * @throws UnsupportedStatementError
 */
export function parseStatement(text: string): Statement {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const statement = parse(text);
  if (cache.size === maxCachedStatements) cache.clear();
  cache.set(text, statement);
  return statement;
}

/** Reads the tokens of a statement one after the other. */
function createTokens(text: string) {
  const tokens = text.length > maxCharacters ? [] : (text.match(/"[^"]+"|'[^']+'|[A-Z]+|\S/g) ?? []);
  let at = 0;
  const next = (token: string): boolean => {
    if (tokens[at] !== token) return false;
    at += 1;
    return true;
  };
  return {
    next,
    expect(...expected: string[]): void {
      for (const token of expected) if (!next(token)) throw new UnsupportedStatementError(text);
    },
    quoted(quote: string): string {
      const token = tokens[at] ?? "";
      at += 1;
      if (!token.startsWith(quote) || token.length < 3) throw new UnsupportedStatementError(text);
      return token.slice(1, -1);
    },
    isAtEnd: () => at === tokens.length,
  };
}

type Tokens = ReturnType<typeof createTokens>;

function parse(text: string): Statement {
  const tokens = createTokens(text);
  const statement = tokens.next("INSERT") ? parseInsert(tokens) : parseUpdate(tokens);
  const changed =
    statement.kind === "insert" ? statement.attributes : [...statement.sets, ...statement.removes];
  if (!tokens.isAtEnd() || new Set(changed).size < changed.length) throw new UnsupportedStatementError(text);
  return statement;
}

function parseInsert({ next, expect, quoted }: Tokens): InsertStatement {
  expect("INTO");
  const table = quoted('"');
  const attributes: string[] = [];
  expect("VALUE", "{");
  do {
    attributes.push(quoted("'"));
    expect(":", "?");
  } while (next(","));
  expect("}");
  return { kind: "insert", table, attributes, parameterCount: attributes.length };
}

function parseUpdate({ next, expect, quoted }: Tokens): UpdateStatement {
  expect("UPDATE");
  const table = quoted('"');
  const sets: string[] = [];
  const removes: string[] = [];
  do {
    if (next("REMOVE")) removes.push(quoted('"'));
    else {
      expect("SET");
      sets.push(quoted('"'));
      expect("=", "?");
    }
  } while (!next("WHERE"));
  const conditions: StatementCondition[] = [];
  let parameterCount = sets.length;
  do {
    const attribute = quoted('"');
    const first = parameterCount;
    const operator = next("IN") ? "IN" : "=";
    expect(operator === "IN" ? "[" : "=");
    do {
      expect("?");
      parameterCount += 1;
    } while (operator === "IN" && next(","));
    if (operator === "IN") expect("]");
    conditions.push({ attribute, operator, first, count: parameterCount - first });
  } while (next("AND"));
  return { kind: "update", table, sets, removes, conditions, parameterCount };
}

/**
 * The primary key of the item that a statement writes.
 *
 * @param keyAttributes the table's key attributes
 * @throws StatementError if parameters or a key attribute are missing, or the key would change
 */
export function keyOfStatement<Value>(
  statement: Statement,
  parameters: readonly Value[],
  keyAttributes: readonly string[],
): Record<string, Value> {
  if (parameters.length !== statement.parameterCount) {
    throw new StatementError("Number of parameters in request and statement don't match.");
  }
  const key: Record<string, Value> = {};
  for (const attribute of keyAttributes) {
    key[attribute] = parameters[keyParameter(statement, attribute)] as Value;
  }
  return key;
}

function keyParameter(statement: Statement, attribute: string): number {
  if (statement.kind === "insert") {
    const index = statement.attributes.indexOf(attribute);
    if (index < 0) throw new StatementError(`Key attribute should be present in the item: Key ${attribute}`);
    return index;
  }
  const { conditions, sets, removes } = statement;
  const found = conditions.find(
    (condition) => condition.attribute === attribute && condition.operator === "=",
  );
  if (found === undefined) {
    throw new StatementError("Where clause does not contain a mandatory equality on all key attributes");
  }
  if (sets.includes(attribute) || removes.includes(attribute)) {
    throw new StatementError(
      `One or more parameter values were invalid: Cannot update attribute ${attribute}. This attribute is part of the key`,
    );
  }
  return found.first;
}

/**
 * Applies a statement to the item that has its key.
 *
 * @param parameters as many as the statement has, see {@link keyOfStatement}
 * @param item undefined if the table has none with that key
 * @returns the new item, or why the statement fails
 */
export function applyStatement<Value>(
  statement: Statement,
  parameters: readonly Value[],
  item: StatementItem<Value> | undefined,
): { readonly item: StatementItem<Value> } | { readonly failure: ConditionFailure } {
  if (statement.kind === "insert") {
    if (item !== undefined) return { failure: "DuplicateItem" };
    const entries = statement.attributes.map((attribute, index) => [attribute, parameters[index] as Value]);
    return { item: Object.fromEntries(entries) };
  }
  const holds = ({ attribute, first, count }: StatementCondition): boolean => {
    const value = item?.[attribute];
    return (
      value !== undefined && parameters.slice(first, first + count).some((other) => isSameValue(value, other))
    );
  };
  if (item === undefined || !statement.conditions.every(holds)) return { failure: "ConditionalCheckFailed" };
  const changed = { ...item };
  for (const [index, attribute] of statement.sets.entries()) changed[attribute] = parameters[index] as Value;
  for (const attribute of statement.removes) delete changed[attribute];
  return { item: changed };
}

const setTypes = ["SS", "NS", "BS"];

/**
 * Whether DynamoDB considers two attribute values, or two items, equal. Numbers must be in the form in which DynamoDB
 * stores them: 1.5, not 01.50.
 */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
  const [names, otherNames] = [Object.keys(one), Object.keys(other)];
  if (names.length !== otherNames.length) return false;
  const [values, otherValues] = [one, other] as Record<string, unknown>[];
  return names.every((name) => {
    const [value, otherValue] = [values?.[name], otherValues?.[name]];
    return setTypes.includes(name) && Array.isArray(value) && Array.isArray(otherValue)
      ? isSameSet(value, otherValue)
      : isSameValue(value, otherValue);
  });
}

/** The order does not matter, and no element occurs twice. */
function isSameSet(one: readonly unknown[], other: readonly unknown[]): boolean {
  return (
    one.length === other.length && one.every((element) => other.some((found) => isSameValue(element, found)))
  );
}
