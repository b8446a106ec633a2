import type { IamRequest } from "./recorded-requests.ts";

/** A policy of IAM that only allows. */
export interface Policy {
  readonly Statement: readonly {
    readonly Action: readonly string[];
    readonly Resource: string | readonly string[];
    readonly Condition?: { readonly ArnLike?: Readonly<Record<string, string>> };
  }[];
}

/** Whether a text is of a pattern in which `*` stands for any text. */
function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.?+^$()[\]{}|\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(text);
}

/** The requests that a policy denies. @param context values of the conditions' keys */
export function findDenied(
  { Statement }: Policy,
  requests: readonly IamRequest[],
  context: Readonly<Record<string, string>>,
): IamRequest[] {
  return requests.filter(
    ({ action, resource }) =>
      !Statement.some(
        ({ Action, Resource, Condition: { ArnLike = {} } = {} }) =>
          Action.includes(action) &&
          [Resource].flat().some((pattern) => isLike(resource, pattern)) &&
          Object.entries(ArnLike).every(([key, pattern]) => isLike(context[key] ?? "", pattern)),
      ),
  );
}

/** The policy without one action or one resource, in every way. */
export function listSmaller({ Statement }: Policy): (readonly [without: string, Policy])[] {
  return Statement.flatMap((statement, place) => {
    const replaced = (change: object) => ({ Statement: Statement.with(place, { ...statement, ...change }) });
    const resources = [statement.Resource].flat();
    return [
      ...statement.Action.map(
        (one) => [one, replaced({ Action: statement.Action.filter((other) => other !== one) })] as const,
      ),
      ...resources.map(
        (one) =>
          [
            `${statement.Action[0]} on ${one}`,
            replaced({ Resource: resources.filter((other) => other !== one) }),
          ] as const,
      ),
    ];
  });
}
