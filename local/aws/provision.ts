import { type AwsEnvironment, arn, pseudoParameters } from "./environment.ts";
import type { DeclaredResource, ResourceType } from "./resource-type.ts";
import type { SynthesizedStack, TemplateResource } from "./template/cloud-assembly.ts";
import { holds, type ResourceValues, resolve, type Scope } from "./template/intrinsics.ts";
import { resourceOrder } from "./template/resource-order.ts";
import { withoutLocalEffect } from "./without-local-effect.ts";

/** A resource that has been brought up. */
export interface Provisioned {
  readonly logicalId: string;
  readonly path: string;
  readonly values: ResourceValues;
}

/** A stack that has been brought up. */
export interface ProvisionedStack {
  readonly resources: readonly Provisioned[];
  /** What the template gives out about itself, by name. */
  readonly outputs: Readonly<Record<string, string>>;
}

function parameterValues(
  stack: SynthesizedStack,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const declared = stack.template.Parameters;
  const unknown = Object.keys(given).filter((name) => !(name in declared));
  if (unknown.length > 0) throw new Error(`stack ${stack.name} has no parameter ${unknown.join(", ")}`);
  const values: Record<string, string> = {};
  for (const [name, { Type, Default }] of Object.entries(declared)) {
    // The default of an SSM parameter is the name under which AWS keeps its value, and there is no such store here.
    const value = given[name] ?? (Type.startsWith("AWS::SSM::") ? undefined : Default);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** What stands for a resource that is not brought up. */
function placeholder(environment: AwsEnvironment, { type, physicalName }: DeclaredResource): ResourceValues {
  const [, service = ""] = type.split("::");
  return { ref: physicalName, attributes: { Arn: arn(environment, service.toLowerCase(), physicalName) } };
}

/**
 * Brings up a stack's resources, each after those it depends on.
 *
 * @param given values of template parameters that are not to have their defaults
 * @param types how each resource type is brought up
 * @throws Error naming a resource type, property, intrinsic function or parameter that is not known; types and
 *   intrinsic functions are checked before anything is brought up
 */
export async function provision(
  stack: SynthesizedStack,
  environment: AwsEnvironment,
  given: Readonly<Record<string, string>>,
  types: Readonly<Record<string, ResourceType>>,
): Promise<ProvisionedStack> {
  const { Resources, Conditions, Mappings, Outputs } = stack.template;
  const order = resourceOrder(Resources);
  const unknown = order.filter((id) => {
    const type = Resources[id]?.Type ?? "";
    return !(type in types) && !(type in withoutLocalEffect);
  });
  if (unknown.length > 0) {
    const named = unknown.map((id) => `${Resources[id]?.Type} (${id})`).join(", ");
    throw new Error(`not known to the local run: ${named}`);
  }
  const resources = new Map<string, ResourceValues>();
  const scope: Scope = {
    parameters: { ...parameterValues(stack, given), ...pseudoParameters(environment) },
    mappings: Mappings,
    conditions: Conditions,
    resources,
  };
  const broughtUp: Provisioned[] = [];
  for (const logicalId of order) {
    const resource = Resources[logicalId] as TemplateResource;
    const path = stack.constructPath(logicalId);
    try {
      if (resource.Condition !== undefined && !holds(resource.Condition, scope)) continue;
      const bring = types[resource.Type];
      const named = { logicalId, type: resource.Type, physicalName: `${stack.name}-${logicalId}`, path };
      const values =
        bring === undefined
          ? placeholder(environment, { ...named, properties: undefined })
          : await bring({ ...named, properties: resolve(resource.Properties ?? {}, scope) });
      resources.set(logicalId, values);
      broughtUp.push({ logicalId, path, values });
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`resource ${logicalId} (${resource.Type}): ${why}`, { cause });
    }
  }
  const outputs: Record<string, string> = {};
  for (const [name, { Value, Condition }] of Object.entries(Outputs)) {
    if (Condition === undefined || holds(Condition, scope)) outputs[name] = String(resolve(Value, scope));
  }
  return { resources: broughtUp, outputs };
}
