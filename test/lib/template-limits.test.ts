import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { type CfnRestApi, SpecRestApi } from "aws-cdk-lib/aws-apigateway";
import { expect, test } from "vitest";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { settings } from "../../lib/settings.ts";
import type { StageSettings } from "../../lib/stage-settings.ts";
import { resourcesOf } from "../../lib/vendor-routes.ts";
import { everySetting } from "./every-setting.ts";

interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

function templateWith(changes: Partial<StageSettings>, adapt: (stack: PipelineStack) => void = () => {}) {
  const stack = new PipelineStack(new App(), "scorecard-pipeline-test", {
    settings: { ...settings.test, ...changes },
  });
  adapt(stack);
  const template = Template.fromStack(stack);
  return { template, resources: template.toJSON().Resources as Record<string, Resource> };
}

interface ApiProperties {
  readonly Body: Readonly<Record<string, unknown>> & {
    readonly info: Readonly<Record<string, unknown>>;
    readonly paths: object;
  };
  readonly [property: string]: unknown;
}

/** The properties of the template's API, under the id that it was first deployed with. */
function apiOf({ resources }: ReturnType<typeof templateWith>): ApiProperties {
  const api = resources.VendorApi66947FE7;
  if (api === undefined) throw new Error("The template has no API under the id that is deployed.");
  return api.Properties as ApiProperties;
}

const byDefault = templateWith({});
const withEverything = templateWith(everySetting);

/**
 * CloudFormation allows 500 resources and 1 MB. The CDK's command adds one resource, the CDK's metadata, and the commit that is deployed
 * another.
 */
test.each([
  ["by default", byDefault, 168],
  ["with every setting on", withEverything, 253],
])(
  "the template has few resources %s, and is less than half of what CloudFormation takes",
  (_, made, most) => {
    expect(Object.keys(made.resources).length + 1).toBeLessThanOrEqual(most);
    expect(Buffer.byteLength(JSON.stringify(made.template.toJSON(), null, 1))).toBeLessThan(500_000);
  },
);

// Of 300 that it allows. A hundred were enough until the clients could be fetched.
test("with every setting on, API Gateway has no more resources than without, and 110 are enough", () => {
  for (const made of [byDefault, withEverything]) {
    expect(resourcesOf(Object.keys(apiOf(made).Body.paths)).size).toBeLessThanOrEqual(110);
  }
});

test("the API is one resource, and keeps its id in an update from a version that made it of many", () => {
  const types = Object.values(withEverything.resources).map(({ Type }) => Type);
  for (const part of ["Resource", "Method", "GatewayResponse", "Authorizer", "RequestValidator", "Model"]) {
    expect(types).not.toContain(`AWS::ApiGateway::${part}`);
  }
  // CloudFormation knows a resource by this id: under another one it would make a new API, with a new address.
  for (const { resources } of [byDefault, withEverything]) {
    expect(resources.VendorApi66947FE7?.Type).toBe("AWS::ApiGateway::RestApi");
    expect(resources.VendorApiDeploymentStagetestB366E97E?.Type).toBe("AWS::ApiGateway::Stage");
    expect(resources.VendorApiStandardBBEEAE1D?.Type).toBe("AWS::ApiGateway::UsagePlan");
    expect(resources.VendorApiTournamentD50E19E0?.Type).toBe("AWS::ApiGateway::UsagePlan");
  }
});

test("whatever else the template says of the API is in its body, too, so that a deployment always has a new import", () => {
  const { Body, ...others } = apiOf(byDefault);
  expect(others).toEqual({
    Name: Body.info.title,
    Description: Body.info.description,
    ApiKeySourceType: Body["x-amazon-apigateway-api-key-source"],
    MinimumCompressionSize: Body["x-amazon-apigateway-minimum-compression-size"],
    SecurityPolicy: Body["x-amazon-apigateway-security-policy"],
    EndpointAccessMode: Body["x-amazon-apigateway-endpoint-access-mode"],
    // The body cannot say this, and it never changes.
    EndpointConfiguration: { Types: ["REGIONAL"] },
    // Merged into the body before it, one would leave paths that are gone.
    Mode: "overwrite",
  });
});

test("a change of the body makes a new deployment, and the stage uses it", () => {
  const deploymentOf = ({ resources }: ReturnType<typeof templateWith>) => {
    const [id] = Object.keys(resources).filter(
      (name) => resources[name]?.Type === "AWS::ApiGateway::Deployment",
    );
    const stage = resources.VendorApiDeploymentStagetestB366E97E?.Properties;
    expect(stage?.DeploymentId).toEqual({ Ref: id });
    return id;
  };
  const withoutLogin = templateWith({}, (stack) => {
    const api = stack.node.findAll().find((construct) => construct instanceof SpecRestApi);
    const cfnApi = api?.node.defaultChild as CfnRestApi;
    const body = cfnApi.body as { paths: Record<string, unknown> };
    const { "/login.aspx": _removed, ...paths } = body.paths;
    cfnApi.body = { ...body, paths };
  });
  expect(deploymentOf(templateWith({}))).toBe(deploymentOf(byDefault));
  expect(deploymentOf(withoutLogin)).not.toBe(deploymentOf(byDefault));
  expect(deploymentOf(withEverything)).not.toBe(deploymentOf(byDefault));
});

test("API Gateway may invoke each function by one permission, the authorizer only as such", () => {
  const permissions = Object.values(withEverything.resources).filter(
    ({ Type }) => Type === "AWS::Lambda::Permission",
  );
  const functions = permissions.map(({ Properties }) => JSON.stringify(Properties.FunctionName));
  expect(new Set(functions).size).toBe(functions.length);
  expect(functions).toHaveLength(13);
  for (const { Properties } of permissions) {
    expect(Properties.Principal).toBe("apigateway.amazonaws.com");
    const source = JSON.stringify(Properties.SourceArn);
    const isAuthorizer = JSON.stringify(Properties.FunctionName).includes("Accountsauthorize");
    expect(source).toContain('{"Ref":"VendorApi66947FE7"}');
    expect(source.endsWith(isAuthorizer ? '"/authorizers/*"]]}' : '"/*/*/*"]]}')).toBe(true);
  }
});
