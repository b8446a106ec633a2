import { isDeepStrictEqual } from "node:util";

/** What the rules read of a template. */
export interface UpdatedTemplate {
  readonly Resources: Readonly<Record<string, UpdatedResource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Export?: unknown }>>;
}

interface UpdatedResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
}

/** How CloudFormation names a resource of a type, and what it cannot change in place. */
interface TypeRules {
  /** If a template has all of these, there can be one such resource only in an account and region. */
  readonly name: readonly string[];
  /** A change of one of these replaces the resource: the new one is made before the old one goes. */
  readonly createOnly: readonly string[];
}

/**
 * `createOnlyProperties` and `conditionalCreateOnlyProperties` of the CloudFormation registry's schemas for us-east-1, as cfn-lint 1.51.0
 * ships them. `name` is the schema's `primaryIdentifier`, or what the service's reference says may be there once only: an event source
 * mapping of a source and function, an association of a stage.
 */
export const typeRules: Readonly<Record<string, TypeRules>> = {
  "AWS::ApiGateway::BasePathMapping": {
    name: ["DomainName", "BasePath"],
    createOnly: ["DomainName", "BasePath"],
  },
  "AWS::ApiGateway::Deployment": { name: [], createOnly: ["DeploymentCanarySettings", "RestApiId"] },
  "AWS::ApiGateway::DomainName": { name: ["DomainName"], createOnly: ["DomainName"] },
  "AWS::ApiGateway::RestApi": { name: [], createOnly: [] },
  "AWS::ApiGateway::Stage": { name: ["RestApiId", "StageName"], createOnly: ["RestApiId", "StageName"] },
  "AWS::ApiGateway::UsagePlan": { name: [], createOnly: [] },
  "AWS::Budgets::Budget": { name: [], createOnly: ["NotificationsWithSubscribers"] },
  "AWS::CloudWatch::Alarm": { name: ["AlarmName"], createOnly: ["AlarmName"] },
  "AWS::CloudWatch::Dashboard": { name: ["DashboardName"], createOnly: ["DashboardName"] },
  "AWS::CodeDeploy::Application": {
    name: ["ApplicationName"],
    createOnly: ["ApplicationName", "ComputePlatform"],
  },
  "AWS::CodeDeploy::DeploymentGroup": {
    name: ["ApplicationName", "DeploymentGroupName"],
    createOnly: ["ApplicationName", "DeploymentGroupName"],
  },
  "AWS::DynamoDB::Table": {
    name: ["TableName"],
    createOnly: ["TableName", "ImportSourceSpecification", "KeySchema"],
  },
  "AWS::IAM::Policy": { name: [], createOnly: [] },
  "AWS::IAM::Role": { name: ["RoleName"], createOnly: ["Path", "RoleName"] },
  "AWS::KMS::Alias": { name: ["AliasName"], createOnly: ["AliasName"] },
  // The registry has none; the reference of the type says that these three are refused or replace the key.
  "AWS::KMS::Key": { name: [], createOnly: ["KeySpec", "KeyUsage", "MultiRegion"] },
  "AWS::Lambda::Alias": { name: ["FunctionName", "Name"], createOnly: ["FunctionName", "Name"] },
  "AWS::Lambda::EventInvokeConfig": {
    name: ["FunctionName", "Qualifier"],
    createOnly: ["FunctionName", "Qualifier"],
  },
  "AWS::Lambda::EventSourceMapping": {
    name: ["EventSourceArn", "FunctionName"],
    createOnly: ["EventSourceArn", "StartingPosition", "StartingPositionTimestamp", "SelfManagedEventSource"],
  },
  // An existing function takes neither tenants nor durable runs.
  "AWS::Lambda::Function": {
    name: ["FunctionName"],
    createOnly: ["FunctionName", "PackageType", "TenancyConfig", "DurableConfig"],
  },
  "AWS::Lambda::Permission": {
    name: [],
    createOnly: ["FunctionName", "SourceAccount", "SourceArn", "Principal", "PrincipalOrgID", "Action"],
  },
  "AWS::Lambda::Version": { name: [], createOnly: ["FunctionName", "Description", "CodeSha256"] },
  "AWS::Logs::LogGroup": { name: ["LogGroupName"], createOnly: ["LogGroupName"] },
  "AWS::SNS::Subscription": { name: [], createOnly: ["Endpoint", "Protocol", "TopicArn", "Region"] },
  "AWS::SNS::Topic": { name: ["TopicName"], createOnly: ["TopicName", "FifoTopic"] },
  "AWS::SNS::TopicPolicy": { name: [], createOnly: [] },
  "AWS::SQS::Queue": { name: ["QueueName"], createOnly: ["QueueName", "FifoQueue"] },
  "AWS::SQS::QueuePolicy": { name: [], createOnly: [] },
  "AWS::SSM::Parameter": { name: ["Name"], createOnly: ["Name"] },
  "AWS::Scheduler::Schedule": { name: ["Name"], createOnly: ["Name"] },
  "AWS::SecretsManager::Secret": { name: ["Name"], createOnly: ["Name"] },
  "AWS::WAFv2::WebACL": { name: ["Name", "Scope"], createOnly: ["Name", "Scope"] },
  "AWS::WAFv2::WebACLAssociation": { name: ["ResourceArn"], createOnly: ["ResourceArn", "WebACLArn"] },
};

const rulesOf = ({ Type }: UpdatedResource) => typeRules[Type] ?? { name: [], createOnly: [] };
const valuesOf = ({ Properties = {} }: UpdatedResource, names: readonly string[]) =>
  names.map((name) => Properties[name]);

/** The name that a template gives a resource; undefined if CloudFormation makes one up. */
export function nameIn(resource: UpdatedResource): string | undefined {
  const values = valuesOf(resource, rulesOf(resource).name);
  if (values.length === 0 || values.includes(undefined)) return undefined;
  return `${resource.Type} ${JSON.stringify(values)}`;
}

/** The resources that an update replaces, and those that refer to them by what they cannot change. */
function replacedIds(before: UpdatedTemplate, after: UpdatedTemplate): Set<string> {
  const replaced = new Set<string>();
  const both = Object.entries(after.Resources).flatMap(([id, resource]) => {
    const former = before.Resources[id];
    return former === undefined ? [] : [{ id, former, resource }];
  });
  const isReplaced = ({ former, resource }: (typeof both)[number]) => {
    const { createOnly } = rulesOf(resource);
    const values = valuesOf(resource, createOnly);
    if (!isDeepStrictEqual(valuesOf(former, createOnly), values)) return true;
    const references = JSON.stringify(values).matchAll(/\{"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/g);
    return Array.from(references, ([, referred = ""]) => referred).some((one) => replaced.has(one));
  };
  for (let count = -1; count < replaced.size; ) {
    count = replaced.size;
    for (const one of both) if (isReplaced(one)) replaced.add(one.id);
  }
  return replaced;
}

/** Types that hold data or an address that others know: their replacement is a loss. */
const holdsData =
  /^AWS::(DynamoDB::Table|SQS::Queue|SecretsManager::Secret|KMS::Key|SNS::Topic|ApiGateway::(RestApi|UsagePlan|Stage))$/;

/**
 * Why CloudFormation could not update a stack from one template to the other and back, as often as somebody likes; or what would be lost.
 *
 * @returns a sentence for each fault
 */
export function updateFaults(before: UpdatedTemplate, after: UpdatedTemplate): string[] {
  const faults: string[] = [];
  const replaced = replacedIds(before, after);
  const idOfName = new Map(
    Object.entries(before.Resources).map(([id, resource]) => [nameIn(resource), id] as const),
  );
  for (const [id, resource] of Object.entries(after.Resources)) {
    if (!(resource.Type in typeRules)) faults.push(`${id}: no rules are known for ${resource.Type}`);
    const former = before.Resources[id];
    const name = nameIn(resource);
    if (former !== undefined && former.Type !== resource.Type)
      faults.push(`${id}: a resource cannot become ${resource.Type}`);
    if (replaced.has(id) && holdsData.test(resource.Type))
      faults.push(`${id}: is replaced, with what it holds`);
    const owner = name === undefined ? undefined : idOfName.get(name);
    if (owner !== undefined && (owner !== id || replaced.has(id)))
      faults.push(`${id}: ${name} already exists when it is made, as ${owner}`);
  }
  for (const [id, resource] of Object.entries(before.Resources)) {
    if (id in after.Resources) continue;
    const isKept = resource.DeletionPolicy?.startsWith("Retain") === true;
    // Lambda publishes no second version of code that an existing version has.
    if (isKept && (nameIn(resource) !== undefined || resource.Type === "AWS::Lambda::Version"))
      faults.push(`${id}: stays, so it already exists when the setting is turned on again`);
  }
  if (
    !isDeepStrictEqual(bodyOf(before), bodyOf(after)) &&
    isDeepStrictEqual(deployments(before), deployments(after))
  )
    faults.push("the API's body changes, and no deployment of it is made");
  for (const [id, { Export }] of Object.entries({ ...before.Outputs, ...after.Outputs }))
    if (Export !== undefined) faults.push(`${id}: an export cannot go while another stack uses it`);
  return faults;
}

const ofType = ({ Resources }: UpdatedTemplate, type: string) =>
  Object.entries(Resources).filter(([, { Type }]) => Type === type);
const bodyOf = (template: UpdatedTemplate) =>
  ofType(template, "AWS::ApiGateway::RestApi").map(([, { Properties = {} }]) => Properties.Body);
const deployments = (template: UpdatedTemplate) =>
  ofType(template, "AWS::ApiGateway::Deployment").map(([id]) => id);
