import type { AssemblyResource } from "./cloud-assembly.ts";
import { attributeReference, intrinsicOf, isKnownIntrinsic, substitutions } from "./intrinsics.ts";

function references(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) references(item, found);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const intrinsic = intrinsicOf(value);
  if (intrinsic === undefined) {
    for (const item of Object.values(value)) references(item, found);
    return;
  }
  const { name, argument } = intrinsic;
  if (!isKnownIntrinsic(name))
    throw new Error(`the local run does not support the intrinsic function ${name}`);
  if (name === "Ref") found.add(String(argument));
  else if (name === "Fn::GetAtt") found.add(attributeReference(argument).logicalId);
  else {
    references(argument, found);
    if (name === "Fn::Sub") {
      const text = String(Array.isArray(argument) ? argument[0] : argument);
      for (const substitution of substitutions(text)) found.add(attributeReference(substitution).logicalId);
    }
  }
}

function dependencies(logicalId: string, resource: AssemblyResource): Set<string> {
  const found = new Set([resource.DependsOn ?? []].flat());
  try {
    references(resource.Properties, found);
  } catch (cause) {
    throw new Error(`resource ${logicalId} (${resource.Type}): ${(cause as Error).message}`, { cause });
  }
  return found;
}

/**
 * Logical ids of the resources in CloudFormation's order of creation: each after those it refers to or depends on.
 *
 * @throws Error naming an unknown intrinsic function, or a resource that depends on itself
 */
export function resourceOrder(resources: Readonly<Record<string, AssemblyResource>>): string[] {
  const order = new Set<string>();
  const visit = (logicalId: string, path: readonly string[]): void => {
    const resource = resources[logicalId];
    // Otherwise the name is a parameter, or unknown, which `resolve` reports.
    if (resource === undefined || order.has(logicalId)) return;
    if (path.includes(logicalId))
      throw new Error(`circular dependency: ${[...path, logicalId].join(" -> ")}`);
    for (const name of dependencies(logicalId, resource)) visit(name, [...path, logicalId]);
    order.add(logicalId);
  };
  for (const logicalId of Object.keys(resources)) visit(logicalId, []);
  return [...order];
}
