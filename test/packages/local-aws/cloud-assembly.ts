import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type LocalRun, type LocalRunOptions, startLocalRun } from "../../../packages/local-aws/local-run.ts";

export type Resources = Record<string, { Type: string; [section: string]: unknown }>;

/** A function of a test's stack: the text of its module and some of its properties. */
export interface TestFunction {
  code: string;
  properties?: Record<string, unknown>;
}

export interface TestStack {
  functions?: Record<string, TestFunction>;
  resources?: Resources;
  /** Paths of constructs within the stack, by logical id; functions have theirs. */
  paths?: Record<string, string>;
  sections?: Record<string, unknown>;
}

export const stackName = "things-test";

/** Logical id of the function in a test's stack. */
function functionId(name: string): string {
  return name.replaceAll("-", "");
}

/** The integration or authorizer address of a function, as CDK writes it. */
function invocationUri(name: string): unknown {
  const parts = ["arn:", { Ref: "AWS::Partition" }, ":apigateway:", { Ref: "AWS::Region" }];
  const functionArn = { "Fn::GetAtt": [functionId(name), "Arn"] };
  return { "Fn::Join": ["", [...parts, ":lambda:path/2015-03-31/functions/", functionArn, "/invocations"]] };
}

function functionResources(functions: Record<string, TestFunction>): Resources {
  return Object.fromEntries(
    Object.entries(functions).map(([name, { properties }]) => [
      functionId(name),
      {
        Type: "AWS::Lambda::Function",
        Properties: {
          Code: {
            // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of Fn::Sub
            S3Bucket: { "Fn::Sub": "cdk-assets-${AWS::AccountId}-${AWS::Region}" },
            S3Key: `${name}.zip`,
          },
          Handler: "index.handler",
          Role: { "Fn::GetAtt": ["Role", "Arn"] },
          Runtime: "nodejs24.x",
          Timeout: 10,
          ...properties,
        },
      },
    ]),
  );
}

/** Writes a synthesized cloud assembly to a folder of its own. */
async function writeAssembly({
  paths = {},
  functions = {},
  resources = {},
  sections = {},
}: TestStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "assembly-"));
  const files: Record<string, unknown> = {};
  for (const [name, { code }] of Object.entries(functions)) {
    await mkdir(join(folder, `asset.${name}`));
    await writeFile(join(folder, `asset.${name}`, "index.mjs"), code);
    files[name] = {
      source: { path: `asset.${name}`, packaging: "zip" },
      destinations: { current: { objectKey: `${name}.zip` } },
    };
  }
  const functionPaths = Object.keys(functions).map(
    (name) => [functionId(name), `Functions/${name}`] as const,
  );
  const metadata = [...functionPaths, ...Object.entries(paths)].map(([logicalId, path]) => [
    `/${stackName}/${path}/Resource`,
    [{ type: "aws:cdk:logicalId", data: logicalId }],
  ]);
  const manifest = {
    artifacts: {
      [`${stackName}.assets`]: { type: "cdk:asset-manifest", properties: { file: "assets.json" } },
      [stackName]: {
        type: "aws:cloudformation:stack",
        environment: "aws://unknown-account/eu-north-1",
        dependencies: [`${stackName}.assets`],
        metadata: Object.fromEntries(metadata),
        properties: { templateFile: "template.json" },
      },
    },
  };
  const template = {
    ...sections,
    Resources: { Role: { Type: "AWS::IAM::Role" }, ...functionResources(functions), ...resources },
  };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "assets.json"), JSON.stringify({ files }));
  await writeFile(join(folder, "template.json"), JSON.stringify(template));
  return folder;
}

/** A run of a test's stack, and the lines that its functions have printed. */
export interface TestRun extends LocalRun {
  lines: { function: string; text: string }[];
}

/** Brings up a stack; a stop also takes its folder away. */
export async function run(stack: TestStack, options: Partial<LocalRunOptions> = {}): Promise<TestRun> {
  const assembly = await writeAssembly(stack);
  const lines: TestRun["lines"] = [];
  const clear = (): Promise<void> => rm(assembly, { recursive: true });
  try {
    const local = await startLocalRun({
      assembly,
      stack: stackName,
      port: 0,
      parameters: {},
      secrets: {},
      log: (line) => lines.push(line),
      ...options,
    });
    return { ...local, lines, stop: () => local.stop().then(clear) };
  } catch (error) {
    await clear();
    throw error;
  }
}

/** A run for the tests of one file, after which it ends. */
export async function provideRun(stack: TestStack): Promise<TestRun> {
  const provided = await run(stack);
  afterAll(() => provided.stop());
  return provided;
}

/** Where an API's method is, what answers it, and whether the authorizer guards it. */
export interface TestMethod {
  path: string;
  method: string;
  function?: string;
  integration?: Record<string, unknown>;
  guarded?: boolean;
  /** Whether a request counts under the usage plan of its key. */
  counted?: boolean;
  /** Headers that a request must have. */
  required?: string[];
}

/**
 * The resources of a REST API with its methods, a stage `live`, and an authorizer where one is named.
 *
 * @param properties of the API besides its body
 * @param extensions of API Gateway at the top of the body
 */
export function restApi(
  methods: TestMethod[],
  authorizer?: string,
  properties: Record<string, unknown> = {},
  extensions: Record<string, unknown> = {},
): Resources {
  const RestApiId = { Ref: "Api" };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { path, method, function: target, integration, guarded, counted, required } of methods) {
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        responses: {},
        security: [...(guarded ? [{ guard: [] }] : []), ...(counted ? [{ usageKey: [] }] : [])],
        ...(required && {
          parameters: required.map((name) => ({
            name,
            in: "header",
            required: true,
            schema: { type: "string" },
          })),
          "x-amazon-apigateway-request-validator": "parameters",
        }),
        "x-amazon-apigateway-integration": integration ?? {
          type: "aws_proxy",
          httpMethod: "POST",
          uri: invocationUri(target ?? ""),
        },
      },
    };
  }
  const guard = authorizer !== undefined && {
    guard: {
      type: "apiKey",
      in: "header",
      name: "Authorization",
      "x-amazon-apigateway-authtype": "custom",
      "x-amazon-apigateway-authorizer": {
        type: "request",
        authorizerUri: invocationUri(authorizer),
        identitySource: "method.request.header.Authorization",
        authorizerResultTtlInSeconds: 300,
      },
    },
  };
  const Body = {
    openapi: "3.0.1",
    info: { title: "things", version: "1" },
    paths,
    components: {
      securitySchemes: { ...guard, usageKey: { type: "apiKey", in: "header", name: "x-api-key" } },
    },
    "x-amazon-apigateway-request-validators": {
      parameters: { validateRequestBody: true, validateRequestParameters: true },
    },
    ...extensions,
  };
  return {
    Api: { Type: "AWS::ApiGateway::RestApi", Properties: { Name: "things", Body, ...properties } },
    Deployment: { Type: "AWS::ApiGateway::Deployment", Properties: { RestApiId } },
    Stage: {
      Type: "AWS::ApiGateway::Stage",
      Properties: { RestApiId, StageName: "live", DeploymentId: { Ref: "Deployment" } },
    },
  };
}

/** The extension of a REST API's body with its gateway responses, by type. */
export const gatewayResponses = (responses: Record<string, unknown>) => ({
  "x-amazon-apigateway-gateway-responses": responses,
});
