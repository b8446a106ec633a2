/** A resource of a template. */
export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/**
 * The properties whose change makes CloudFormation replace a resource, of each type that holds data, credentials or an address that
 * others know.
 *
 * @see "Update requires" in AWS's reference of each type
 */
const replacedBy: Readonly<Record<string, readonly string[]>> = {
  "AWS::ApiGateway::DomainName": ["DomainName"],
  "AWS::ApiGateway::RestApi": [],
  "AWS::ApiGateway::Stage": ["RestApiId", "StageName"],
  "AWS::ApiGateway::UsagePlan": [],
  "AWS::DynamoDB::Table": ["TableName", "KeySchema", "LocalSecondaryIndexes", "ImportSourceSpecification"],
  "AWS::KMS::Alias": ["AliasName"],
  "AWS::KMS::Key": ["KeySpec", "KeyUsage", "MultiRegion", "Origin"],
  "AWS::SNS::Topic": ["TopicName", "FifoTopic"],
  "AWS::SQS::Queue": ["QueueName", "FifoQueue"],
  "AWS::SecretsManager::Secret": ["Name"],
};

/** What must stay as it is, so that CloudFormation keeps a resource: its type, and some of its properties. */
export type LastingResource = Readonly<Record<string, unknown>> & { readonly Type: string };

/** The resources of a template that must outlive each update, by logical ID. */
export function lastingResources(
  resources: Readonly<Record<string, TemplateResource>>,
): Record<string, LastingResource> {
  const lasting = Object.entries(resources).flatMap(([id, resource]) => {
    const names = replacedBy[resource.Type];
    if (names === undefined) return [];
    const { Properties = {} } = resource;
    const kept = names.filter((name) => name in Properties).map((name) => [name, Properties[name]]);
    return [[id, { Type: resource.Type, ...Object.fromEntries(kept), ...keyTypes(resource) }] as const];
  });
  return Object.fromEntries(lasting.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The types of a table's key attributes: CloudFormation replaces the table if one changes. Those of indexes alone may change. */
function keyTypes({ Type, Properties = {} }: TemplateResource): { readonly KeyTypes?: readonly string[] } {
  if (Type !== "AWS::DynamoDB::Table") return {};
  const keys = (Properties.KeySchema as { AttributeName: string }[]).map((key) => key.AttributeName);
  const definitions = Properties.AttributeDefinitions as { AttributeName: string; AttributeType: string }[];
  const typeOf = (key: string) =>
    definitions.find(({ AttributeName }) => AttributeName === key)?.AttributeType ?? "";
  return { KeyTypes: keys.map(typeOf) };
}

/** A resource that an update would replace or remove. */
export interface Replacement {
  readonly id: string;
  readonly before: LastingResource;
  /** Undefined if the template has no resource of this logical ID. */
  readonly after: LastingResource | undefined;
}

/** The lasting resources that an update from one template to another would replace or remove. */
export function replacements(
  before: Readonly<Record<string, LastingResource>>,
  after: Readonly<Record<string, LastingResource>>,
): Replacement[] {
  return Object.entries(before)
    .map(([id, resource]) => ({ id, before: resource, after: after[id] }))
    .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
}
