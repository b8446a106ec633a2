import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type StageSettings, stackName } from "../../lib/stage-settings.ts";
import { assemblyOf } from "../synthesized-stack.ts";

/** A statement of a role's policy, as it is in the template. */
interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

/** The roles of a synthesized stack, and what its functions are fed by. */
export interface DeployedRoles {
  /** The ID of a resource's construct, such as "authorize-role", by the resource's logical ID. */
  readonly names: ReadonlyMap<string, string>;
  /** What the policies of this role allow. @param role the ID of its construct */
  statements(role: string): readonly Statement[];
  /** Properties of the event source mapping of this function; undefined if it has none. */
  eventSource(functionName: string): Resource["Properties"] | undefined;
}

/** Reads the roles of the stack with these settings. */
export async function deployedRoles(given: StageSettings): Promise<DeployedRoles> {
  const folder = await assemblyOf(given);
  const read = (kind: string) =>
    JSON.parse(readFileSync(join(folder, `${stackName(given.stage)}.${kind}.json`), "utf8"));
  const metadata: Record<string, readonly { readonly type: string; readonly data: string }[]> =
    read("metadata");
  const names = new Map(
    Object.entries(metadata).flatMap(([path, entries]) =>
      entries
        .filter(({ type }) => type === "aws:cdk:logicalId")
        .map(({ data }) => [data, path.split("/").at(-2) ?? ""] as const),
    ),
  );
  const resources = Object.values(read("template").Resources as Record<string, Resource>);
  const propertiesOf = (type: string) =>
    resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties);
  const nameOf = (reference: unknown) => names.get((reference as { Ref: string }).Ref);
  return {
    names,
    statements: (role) =>
      propertiesOf("AWS::IAM::Policy")
        .filter(({ Roles }) => (Roles as unknown[]).some((one) => nameOf(one) === role))
        .flatMap(({ PolicyDocument }) => (PolicyDocument as { Statement: Statement[] }).Statement),
    eventSource: (functionName) =>
      propertiesOf("AWS::Lambda::EventSourceMapping").find(
        ({ FunctionName }) => nameOf(FunctionName) === functionName,
      ),
  };
}
