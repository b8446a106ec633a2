import { type AwsEnvironment, arn, pseudoParameters } from "./base/environment.ts";
import type { DeclaredResource, ResourceType } from "./base/resource-type.ts";
import type { AssemblyResource, SynthesizedStack } from "./template/cloud-assembly.ts";
import { holds, type ResourceValues, resolve, type Scope } from "./template/intrinsics.ts";
import { resourceOrder } from "./template/resource-order.ts";

/** Resource types that need no local counterpart, each with the reason. */
const withoutLocalEffect: Readonly<Record<string, string>> = {
  "AWS::ApiGateway::Account": "lets API Gateway write logs",
  "AWS::ApiGateway::BasePathMapping": "serves the API under another name",
  "AWS::ApiGateway::DomainName": "serves the API under another name",
  "AWS::Budgets::Budget": "mails when the account costs too much; here nothing costs anything",
  "AWS::CDK::Metadata": "tells AWS which constructs are in use",
  "AWS::CloudWatch::CompositeAlarm": "combines alarms; the local run evaluates each by itself",
  "AWS::CloudWatch::Dashboard": "shows metrics to people",
  "AWS::CodeDeploy::Application": "groups deployments; here each start has the new code at once",
  "AWS::CodeDeploy::DeploymentGroup":
    "moves an alias from one version to the next; here there is one version",
  "AWS::IAM::ManagedPolicy": "grants permissions; the engines let everyone do everything",
  "AWS::IAM::Policy": "grants permissions; the engines let everyone do everything",
  "AWS::IAM::Role": "grants permissions; the engines let everyone do everything",
  "AWS::KMS::Alias": "names a key",
  "AWS::KMS::Key": "encrypts at rest; nothing outlives the run",
  "AWS::Lambda::EventInvokeConfig": "retries failed asynchronous invocations, which the local run does not",
  "AWS::Lambda::Permission": "grants permissions; the engines let everyone do everything",
  "AWS::Logs::LogGroup": "stores logs; here they are printed",
  "AWS::Logs::MetricFilter": "derives metrics from log lines; the local run reads embedded metrics only",
  "AWS::Logs::ResourcePolicy": "grants permissions; the engines let everyone do everything",
  "AWS::Scheduler::ScheduleGroup": "groups schedules",
  "AWS::SecretsManager::ResourcePolicy": "grants permissions; the engines let everyone do everything",
  "AWS::SNS::Subscription": "forwards notifications; what functions publish is logged",
  "AWS::SNS::Topic": "forwards notifications; what functions publish is logged",
  "AWS::SNS::TopicPolicy": "grants permissions; the engines let everyone do everything",
  "AWS::SQS::QueuePolicy": "grants permissions; the engines let everyone do everything",
  "AWS::SSM::Parameter": "says which commit is deployed",
  "AWS::WAFv2::WebACL": "blocks addresses that send too much",
  "AWS::WAFv2::WebACLAssociation": "blocks addresses that send too much",
  // Of 0.2.0, from which stages are upgraded.
  "AWS::XRay::SamplingRule": "selects the requests to trace; none is traced here",
};

/** A resource that exists now. */
export interface Provisioned {
  readonly logicalId: string;
  readonly path: string;
  readonly values: ResourceValues;
}

/** A stack whose resources exist now. */
export interface ProvisionedStack {
  readonly resources: readonly Provisioned[];
  /** The stack's outputs, by name. */
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
    // The default of an SSM parameter is the name of its value in Parameter Store, which does not exist here.
    const value = given[name] ?? (Type.startsWith("AWS::SSM::") ? undefined : Default);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** Ref and ARN of a resource without local effect, for others that refer to it. */
function placeholder(environment: AwsEnvironment, { type, physicalName }: DeclaredResource): ResourceValues {
  const [, service = ""] = type.split("::");
  return { ref: physicalName, attributes: { Arn: arn(environment, service.toLowerCase(), physicalName) } };
}

/**
 * Creates a stack's resources, each after those it depends on.
 *
 * @param given values of template parameters; the others have their defaults
 * @param types how to create a resource, by its type
 * @throws Error naming an unknown resource type, property, intrinsic function or parameter; types and intrinsic
 *   functions are checked before anything is created
 */
export async function provision(
  stack: SynthesizedStack,
  environment: AwsEnvironment,
  given: Readonly<Record<string, string>>,
  types: Readonly<Record<string, ResourceType>>,
): Promise<ProvisionedStack> {
  const { Resources, Conditions, Outputs } = stack.template;
  const order = resourceOrder(Resources);
  const unknown = order.filter((id) => {
    const type = Resources[id]?.Type ?? "";
    return !(type in types) && !(type in withoutLocalEffect);
  });
  if (unknown.length > 0) {
    const named = unknown.map((id) => `${Resources[id]?.Type} (${id})`).join(", ");
    throw new Error(`the local run does not support ${named}`);
  }
  const resources = new Map<string, ResourceValues>();
  const scope: Scope = {
    parameters: { ...parameterValues(stack, given), ...pseudoParameters(environment) },
    conditions: Conditions,
    resources,
  };
  const provisioned: Provisioned[] = [];
  for (const logicalId of order) {
    const resource = Resources[logicalId] as AssemblyResource;
    const path = stack.constructPath(logicalId);
    try {
      if (resource.Condition !== undefined && !holds(resource.Condition, scope)) continue;
      const create = types[resource.Type];
      const named = { logicalId, type: resource.Type, physicalName: `${stack.name}-${logicalId}`, path };
      const values =
        create === undefined
          ? placeholder(environment, { ...named, properties: undefined })
          : await create({ ...named, properties: resolve(resource.Properties ?? {}, scope) });
      resources.set(logicalId, values);
      provisioned.push({ logicalId, path, values });
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`resource ${logicalId} (${resource.Type}): ${why}`, { cause });
    }
  }
  const outputs: Record<string, string> = {};
  for (const [name, { Value, Condition }] of Object.entries(Outputs)) {
    if (Condition === undefined || holds(Condition, scope)) outputs[name] = String(resolve(Value, scope));
  }
  return { resources: provisioned, outputs };
}
