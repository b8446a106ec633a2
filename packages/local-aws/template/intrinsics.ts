/** The values of a resource that others can refer to. */
export interface ResourceValues {
  readonly ref: string;
  /** The values of Fn::GetAtt, by attribute. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Everything that intrinsic functions can refer to. */
export interface Scope {
  /** Values of template parameters and pseudo parameters, by name. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly conditions: Readonly<Record<string, unknown>>;
  /** Resources that exist already, by logical id. */
  readonly resources: ReadonlyMap<string, ResourceValues>;
}

type Apply = (argument: unknown, scope: Scope) => unknown;

/** An intrinsic function and its argument, if the value is one. */
export function intrinsicOf(value: object): { name: string; argument: unknown } | undefined {
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0) return undefined;
  const [name, argument] = entry;
  return name === "Ref" || name.startsWith("Fn::") ? { name, argument } : undefined;
}

/** Names in the text of Fn::Sub, such as Table or Table.Arn; `${!Literal}` is text. */
export function substitutions(text: string): string[] {
  return Array.from(text.matchAll(/\$\{([^!}][^}]*)\}/g), ([, name]) => (name as string).trim());
}

/** Logical id and attribute of Fn::GetAtt's argument, in either of its two forms. */
export function attributeReference(argument: unknown): { logicalId: string; attribute: string } {
  const [logicalId, ...attribute] =
    typeof argument === "string" ? argument.split(".") : (argument as string[]);
  return { logicalId: logicalId ?? "", attribute: attribute.join(".") };
}

function list(argument: unknown, name: string, length?: number): unknown[] {
  if (!Array.isArray(argument) || (length !== undefined && argument.length !== length)) {
    throw new Error(`${name} has an invalid argument: ${JSON.stringify(argument)}`);
  }
  return argument;
}

function reference(name: string, scope: Scope): unknown {
  if (name === "AWS::NoValue") return undefined;
  const value = scope.parameters[name] ?? scope.resources.get(name)?.ref;
  if (value === undefined) throw new Error(`Ref names ${name}, which is neither a parameter nor a resource`);
  return value;
}

function attribute(logicalId: string, name: string, scope: Scope): string {
  const value = scope.resources.get(logicalId)?.attributes[name];
  if (value === undefined)
    throw new Error(`Fn::GetAtt names ${logicalId}.${name}, which the local run does not support`);
  return value;
}

function substitute(argument: unknown, scope: Scope): string {
  const [text, values] = typeof argument === "string" ? [argument, {}] : list(argument, "Fn::Sub", 2);
  const own = resolve(values, scope) as Record<string, unknown>;
  return String(text).replace(/\$\{([^}]+)\}/g, (_, written: string) => {
    if (written.startsWith("!")) return `\${${written.slice(1)}}`;
    const name = written.trim();
    if (name in own) return String(own[name]);
    const { logicalId, attribute: wanted } = attributeReference(name);
    return String(wanted === "" ? reference(name, scope) : attribute(logicalId, wanted, scope));
  });
}

function isTrue(condition: unknown, scope: Scope): boolean {
  if (typeof condition === "object" && condition !== null) {
    if ("Condition" in condition) return holds(String(condition.Condition), scope);
    return resolve(condition, scope) === true;
  }
  throw new Error(`${JSON.stringify(condition)} is not a condition`);
}

const functions: Record<string, Apply> = {
  Ref: (argument, scope) => reference(String(argument), scope),
  "Fn::GetAtt": (argument, scope) => {
    const { logicalId, attribute: name } = attributeReference(argument);
    return attribute(logicalId, name, scope);
  },
  "Fn::Join": (argument, scope) => {
    const [separator, parts] = list(argument, "Fn::Join", 2);
    return list(resolve(parts, scope), "Fn::Join").join(String(separator));
  },
  "Fn::Sub": substitute,
  "Fn::Select": (argument, scope) => {
    const [index, choices] = list(argument, "Fn::Select", 2);
    return list(resolve(choices, scope), "Fn::Select")[Number(resolve(index, scope))];
  },
  "Fn::Split": (argument, scope) => {
    const [separator, text] = list(argument, "Fn::Split", 2);
    return String(resolve(text, scope)).split(String(separator));
  },
  "Fn::If": (argument, scope) => {
    const [condition, then, otherwise] = list(argument, "Fn::If", 3);
    return resolve(holds(String(condition), scope) ? then : otherwise, scope);
  },
  "Fn::Equals": (argument, scope) => {
    const [one, other] = list(argument, "Fn::Equals", 2).map((value) => resolve(value, scope));
    return JSON.stringify(one) === JSON.stringify(other);
  },
  "Fn::Not": (argument, scope) => !isTrue(list(argument, "Fn::Not", 1)[0], scope),
};

/** Whether the local run supports an intrinsic function. */
export function isKnownIntrinsic(name: string): boolean {
  return name in functions;
}

/**
 * Whether a condition of the template holds.
 *
 * @throws Error naming a condition that the template does not have
 */
export function holds(condition: string, scope: Scope): boolean {
  if (!(condition in scope.conditions)) throw new Error(`the template has no condition ${condition}`);
  return isTrue(scope.conditions[condition], scope);
}

/**
 * Evaluates the intrinsic functions in a value of the template; entries that evaluate to AWS::NoValue are left out.
 *
 * @throws Error naming an unknown intrinsic function, dynamic reference or reference
 */
export function resolve(value: unknown, scope: Scope): unknown {
  if (typeof value === "string") {
    if (value.includes("{{resolve:"))
      throw new Error(`the local run does not support the dynamic reference ${value}`);
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => resolve(item, scope)).filter((item) => item !== undefined);
  }
  if (typeof value !== "object" || value === null) return value;
  const intrinsic = intrinsicOf(value);
  if (intrinsic === undefined) {
    const entries = Object.entries(value).map(([name, item]) => [name, resolve(item, scope)] as const);
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
  }
  const apply = functions[intrinsic.name];
  if (apply === undefined)
    throw new Error(`the local run does not support the intrinsic function ${intrinsic.name}`);
  return apply(intrinsic.argument, scope);
}
