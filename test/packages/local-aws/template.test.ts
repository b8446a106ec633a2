// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of Fn::Sub
import { describe, expect, test } from "vitest";
import { resolve, type Scope } from "../../../packages/local-aws/template/intrinsics.ts";
import { resourceOrder } from "../../../packages/local-aws/template/resource-order.ts";
import { gatewayResponses, type Resources, restApi, run } from "./cloud-assembly.ts";

const scope: Scope = {
  parameters: { Address: "http://union", "AWS::Region": "eu-north-1" },
  conditions: {
    IsNorth: { "Fn::Equals": [{ Ref: "AWS::Region" }, "eu-north-1"] },
    IsSouth: { "Fn::Not": [{ Condition: "IsNorth" }] },
  },
  resources: new Map([
    ["Table", { ref: "table-1", attributes: { Arn: "arn:table-1", "Stream.Arn": "arn:s" } }],
  ]),
};

describe("intrinsic functions", () => {
  test.for<[unknown, unknown]>([
    [{ Ref: "Address" }, "http://union"],
    [{ Ref: "Table" }, "table-1"],
    [{ "Fn::GetAtt": ["Table", "Arn"] }, "arn:table-1"],
    [{ "Fn::GetAtt": "Table.Stream.Arn" }, "arn:s"],
    [{ "Fn::Join": ["-", ["a", { Ref: "Table" }]] }, "a-table-1"],
    [
      { "Fn::Sub": "${Table}/${Table.Arn}/${!Table}/${AWS::Region}" },
      "table-1/arn:table-1/${Table}/eu-north-1",
    ],
    [{ "Fn::Sub": ["${own} of ${Table}", { own: { Ref: "Address" } }] }, "http://union of table-1"],
    [{ "Fn::Select": [1, { "Fn::Split": ["/", "a/b/c"] }] }, "b"],
    [{ "Fn::If": ["IsNorth", "yes", "no"] }, "yes"],
    [{ "Fn::If": ["IsSouth", "yes", "no"] }, "no"],
    [{ kept: [1, { Ref: "AWS::NoValue" }], left: { Ref: "AWS::NoValue" } }, { kept: [1] }],
  ])("%j is %j", ([value, expected]) => {
    expect(resolve(value, scope)).toEqual(expected);
  });

  test.for<[unknown, string]>([
    [{ "Fn::GetAZs": "" }, "Fn::GetAZs"],
    [{ Ref: "Missing" }, "Missing"],
    [{ "Fn::GetAtt": ["Table", "StreamArn"] }, "Table.StreamArn"],
    ["{{resolve:ssm:name}}", "{{resolve:ssm:name}}"],
    [{ "Fn::If": ["IsUnheardOf", 1, 2] }, "IsUnheardOf"],
  ])("the unknown intrinsic function in %j is an error that names it", ([value, name]) => {
    expect(() => resolve(value, scope)).toThrow(name);
  });
});

describe("resources", () => {
  const type = "AWS::SQS::Queue";

  test("resources are created after those they refer to and depend on", () => {
    const order = resourceOrder({
      A: { Type: type, Properties: { of: { "Fn::Sub": "x-${B.Arn}-${Parameter}" } } },
      B: { Type: type, Properties: { of: [{ "Fn::Join": ["", [{ "Fn::GetAtt": ["C", "Arn"] }]] }] } },
      C: { Type: type, DependsOn: ["D"] },
      D: { Type: type, DependsOn: "E", Properties: { of: { Ref: "AWS::Region" } } },
      E: { Type: type },
    });
    expect(order).toEqual(["E", "D", "C", "B", "A"]);
  });

  test("resources that depend on each other are an error", () => {
    const resources = {
      A: { Type: type, DependsOn: "B" },
      B: { Type: type, Properties: { a: { Ref: "A" } } },
    };
    expect(() => resourceOrder(resources)).toThrow("A -> B -> A");
  });
});

const integration = {
  type: "aws_proxy",
  httpMethod: "POST",
  uri: "arn:aws:apigateway:eu-north-1:lambda:path/2015-03-31/functions/arn:aws:lambda:x/invocations",
};
const served = { responses: {}, "x-amazon-apigateway-integration": integration };

describe("what the local run does not support", () => {
  const table = { AttributeDefinitions: [], KeySchema: [] };

  test.for<[string, Resources, string]>([
    [
      "a resource type",
      { Cache: { Type: "AWS::ElastiCache::ReplicationGroup" } },
      "ElastiCache::ReplicationGroup (Cache)",
    ],
    [
      "an intrinsic function",
      { Work: { Type: "AWS::SQS::Queue", Properties: { a: { "Fn::Cidr": [] } } } },
      "Fn::Cidr",
    ],
    [
      "an intrinsic function where it has no effect",
      { Alarm: { Type: "AWS::CloudWatch::Alarm", Properties: { a: { "Fn::Cidr": [] } } } },
      "resource Alarm (AWS::CloudWatch::Alarm)",
    ],
    [
      "a property",
      { Table: { Type: "AWS::DynamoDB::Table", Properties: { ...table, StreamSpecification: {} } } },
      "StreamSpecification",
    ],
    ["a schedule expression", { Tick: schedule("cron(0 3 ? * MON *)") }, "cron(0 3 ? * MON *)"],
    [
      "a variable of a gateway response",
      restApi(
        [],
        undefined,
        {},
        gatewayResponses({
          ACCESS_DENIED: { responseTemplates: { "application/json": "$context.requestId" } },
        }),
      ),
      "$context.requestId",
    ],
    [
      "a resource of an API beside its body",
      { Path: { Type: "AWS::ApiGateway::Resource", Properties: { RestApiId: { Ref: "Api" } } } },
      "AWS::ApiGateway::Resource (Path)",
    ],
    [
      "an extension of API Gateway at the top of the body",
      restApi([], undefined, {}, { "x-amazon-apigateway-policy": {} }),
      "x-amazon-apigateway-policy",
    ],
    [
      "an intrinsic function in the body",
      restApi([], undefined, {}, { "x-amazon-apigateway-security-policy": { "Fn::Cidr": [] } }),
      "Fn::Cidr",
    ],
    [
      "a reference in the body to a resource that does not exist",
      restApi([], undefined, {}, { "x-amazon-apigateway-security-policy": { Ref: "Unheard" } }),
      "Unheard",
    ],
    ["an extension of a path", bodyWith({ "x-amazon-apigateway-cors": {} }), "x-amazon-apigateway-cors"],
    [
      "an extension of an operation",
      bodyWith({ get: { ...served, "x-amazon-apigateway-auth": { type: "NONE" } } }),
      "x-amazon-apigateway-auth",
    ],
    [
      "a type of integration",
      bodyWith({ get: { "x-amazon-apigateway-integration": { type: "http_proxy" } } }),
      "integration",
    ],
    [
      "a setting of an integration",
      bodyWith({
        get: { "x-amazon-apigateway-integration": { ...integration, connectionType: "VPC_LINK" } },
      }),
      "connectionType",
    ],
    [
      "a setting of an authorizer",
      restApi(
        [],
        undefined,
        {},
        { components: { securitySchemes: { pool: authorizerWith({ providerARNs: [] }) } } },
      ),
      "providerARNs",
    ],
    ["a security scheme", bodyWith({ get: { ...served, security: [{ stranger: [] }] } }), "stranger"],
    [
      "a request validator",
      bodyWith({ get: { ...served, "x-amazon-apigateway-request-validator": "strict" } }),
      "strict",
    ],
  ])("%s that is not supported is an error that names it", async ([, resources, name]) => {
    const functions = { task: { code: "" } };
    await expect(run({ functions, resources: { ...restApi([]), ...resources } })).rejects.toThrow(name);
  });

  test("an unknown parameter is an error that names it", async () => {
    await expect(run({ resources: restApi([]) }, { parameters: { Unheard: "of" } })).rejects.toThrow(
      "Unheard",
    );
  });

  test("an unknown stack is an error that names it and the known ones", async () => {
    await expect(run({ resources: restApi([]) }, { stack: "unheard-of" })).rejects.toThrow(
      "no stack unheard-of; it has things-test",
    );
  });
});

const authorizerWith = (settings: object) => ({
  type: "apiKey",
  in: "header",
  name: "Authorization",
  "x-amazon-apigateway-authorizer": { type: "request", authorizerUri: integration.uri, ...settings },
});

/** An API whose body has one path. */
function bodyWith(path: Record<string, unknown>): Resources {
  return restApi([], undefined, {}, { paths: { "/things": path } });
}

function schedule(expression: string): Resources[string] {
  const Target = { Arn: { "Fn::GetAtt": ["task", "Arn"] }, RoleArn: "x" };
  return { Type: "AWS::Scheduler::Schedule", Properties: { ScheduleExpression: expression, Target } };
}
