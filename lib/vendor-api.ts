import { Duration, RemovalPolicy, Size, Stack, Validations } from "aws-cdk-lib";
import {
  AccessLogField,
  AccessLogFormat,
  ApiDefinition,
  ApiKeySourceType,
  type CfnRestApi,
  type CfnUsagePlan,
  EndpointAccessMode,
  EndpointType,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  Period,
  RestApiMode,
  SecurityPolicy,
  SpecRestApi,
  type UsagePlan,
} from "aws-cdk-lib/aws-apigateway";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { AnsweringFunction } from "../api/routes.ts";
import { apiBody } from "./api-body.ts";
import { serveUnderDomain } from "./custom-domain.ts";
import { addFirewall } from "./firewall.ts";
import { pipelineFunction } from "./pipeline-function.ts";
import { listVendorThrottles } from "./reserved-runs.ts";
import { invoked } from "./rollout.ts";
import type { StageSettings } from "./stage-settings.ts";
import { methodLimits, withBurst } from "./usage-limits.ts";
import { isVendors, servedOperations } from "./vendor-routes.ts";

/** The functions behind the API. */
export interface VendorApiProps {
  readonly settings: StageSettings;
  readonly authorize: LambdaFunction;
  readonly answeredBy: Readonly<Record<AnsweringFunction, LambdaFunction>>;
}

/**
 * API Gateway compresses responses from this size on, except streamed ones. With this setting it also accepts gzipped bodies.
 */
const compressedFrom = Size.kibibytes(1);

const description = "The union's API for vendors, with what its exchange lacks";

/** TLS 1.2 and 1.3. By default API Gateway still accepts TLS 1.0. */
const transport = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PQ_2025_09,
  endpointAccessMode: EndpointAccessMode.BASIC,
};

/** The API Gateway in front of the functions, with the authorizer, routes, limits and logs. */
export class VendorApi extends Construct {
  readonly api: SpecRestApi;
  /** Base address for vendors, with a slash at its end. */
  readonly baseAddress: string;
  /** Limits of a vendor, by the name of the plan. */
  readonly usagePlans: Readonly<Record<keyof StageSettings["usagePlans"], UsagePlan>>;

  constructor(scope: Construct, id: string, { settings, authorize, answeredBy }: VendorApiProps) {
    super(scope, id);
    const kept = { retention: settings.logRetentionDays, removalPolicy: RemovalPolicy.DESTROY };
    const accessLog = new LogGroup(this, "AccessLog", kept);
    const answerPreflights =
      settings.allowedOrigins.length > 0 ? addCrossOrigin(this, settings, answeredBy) : undefined;
    const body = apiBody({
      ...transport,
      name: `scorecards-${settings.stage}`,
      description,
      compressedFrom: compressedFrom.toBytes(),
      allowedOrigins: settings.allowedOrigins,
      authorize,
      answeredBy,
      answerPreflights,
    });
    const all = withBurst({ ratePerSecond: settings.requestsPerSecond });
    this.api = new SpecRestApi(this, "Api", {
      apiDefinition: ApiDefinition.fromInline(body),
      restApiName: body.info.title,
      description,
      endpointTypes: [EndpointType.REGIONAL],
      // By default AWS merges: a path that is gone from the body would still be served.
      mode: RestApiMode.OVERWRITE,
      minCompressionSize: compressedFrom,
      // API Gateway's role for logs belongs to the AWS account, not to a stage: docs/deploy.md.
      cloudWatchRole: false,
      deployOptions: {
        stageName: settings.stage,
        ...methodLogging,
        throttlingRateLimit: all.ratePerSecond,
        throttlingBurstLimit: all.burst,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: withoutPersonalData,
        methodOptions: throttledMethods(),
      },
    });
    // The stack's own outputs name each address once.
    this.api.node.tryRemoveChild("Endpoint");
    const cfnApi = this.api.node.defaultChild as CfnRestApi;
    // Vendors send Basic credentials; the authorizer returns the API key that counts the account's requests.
    Object.assign(cfnApi, transport, { apiKeySourceType: ApiKeySourceType.AUTHORIZER, description });
    // API Gateway writes its errors to a group of this name. Created by itself, it would keep them for ever.
    const errorLog = new LogGroup(this, "ErrorLog", {
      logGroupName: `API-Gateway-Execution-Logs_${this.api.restApiId}/${settings.stage}`,
      ...kept,
    });
    this.api.deploymentStage.node.addDependency(errorLog);

    this.allowToInvoke(authorize, "authorizers/*");
    for (const each of Object.values({ ...answeredBy, ...(answerPreflights && { answerPreflights }) }))
      this.allowToInvoke(each, "*/*/*");

    const { domain, firewall } = settings;
    this.baseAddress =
      domain === undefined ? this.api.url : serveUnderDomain(this, this.api, domain, settings.stage);
    if (firewall !== undefined) addFirewall(this, this.api, firewall, settings.stage);

    this.usagePlans = this.addPlans(settings);
    this.acknowledgeRules(firewall);
  }

  private addPlans(settings: StageSettings): VendorApi["usagePlans"] {
    const { standard, tournament } = settings.usagePlans;
    const plan = (id: string, limits: typeof standard) => {
      const { ratePerSecond, burst, requestsPerDay } = withBurst(limits);
      const made = this.api.addUsagePlan(id, {
        name: `scorecards-${settings.stage}-${id.toLowerCase()}`,
        apiStages: [{ stage: this.api.deploymentStage }],
        throttle: { rateLimit: ratePerSecond, burstLimit: burst },
        quota: { limit: requestsPerDay, period: Period.DAY },
      });
      // The CDK wants its own methods here, and these are of the API's body.
      const resource = made.node.defaultChild as CfnUsagePlan;
      resource.addPropertyOverride("ApiStages.0.Throttle", listVendorThrottles());
      return made;
    };
    return { standard: plan("Standard", standard), tournament: plan("Tournament", tournament) };
  }

  private acknowledgeRules(firewall: StageSettings["firewall"]): void {
    Validations.of(this.api).acknowledge({
      id: "Serverless-APIGWXrayEnabled",
      reason: "A trace has the whole address, with players' numbers and ExternalIDs, and the caller's.",
    });
    Validations.of(this.api).acknowledge({
      id: "AwsSolutions-APIG2",
      reason: "The rule looks for a resource; the API's OpenAPI body has its request validator.",
    });
    if (firewall === undefined) {
      Validations.of(this.api).acknowledge({
        id: "AwsSolutions-APIG3",
        reason: "A web application firewall is the operator's choice: vendors are servers with accounts.",
      });
    }
  }

  /** @param part of the API that may invoke the function: stages, methods and paths, or authorizers */
  private allowToInvoke(target: LambdaFunction, part: string): void {
    const named = invoked(target);
    named.addPermission("InvokedByApi", {
      principal: new ServicePrincipal("apigateway.amazonaws.com"),
      sourceArn: Stack.of(this).formatArn({
        service: "execute-api",
        resource: this.api.restApiId,
        resourceName: part,
      }),
    });
    // The permission for an alias is a new one when `rollout` is set, and requests must not come before it.
    const permission = named.node.tryFindChild("InvokedByApi");
    if (named !== target && permission !== undefined)
      this.api.latestDeployment?.node.addDependency(permission);
  }
}

/** Logs and metrics of each method. */
const methodLogging = {
  // A higher level would log bodies and query strings, which are players' data.
  loggingLevel: MethodLoggingLevel.ERROR,
  dataTraceEnabled: false,
  // Metrics of the stage are free. Those of each method would be 200 more, to be paid for.
  metricsEnabled: false,
} satisfies MethodDeploymentOptions;

/** Options of methods with a limit of their own, by path and method. They replace the stage's options, not only its limit. */
function throttledMethods(): Record<string, MethodDeploymentOptions> {
  const options: Record<string, MethodDeploymentOptions> = {};
  for (const { route, paths } of servedOperations) {
    if (route.limitedBy === undefined) continue;
    const { ratePerSecond: throttlingRateLimit, burst: throttlingBurstLimit } = methodLimits[route.limitedBy];
    for (const path of paths) {
      options[`${path}/${route.method}`] = { ...methodLogging, throttlingRateLimit, throttlingBurstLimit };
    }
  }
  return options;
}

/**
 * Lets browsers call the API from pages of the allowed origins.
 *
 * Browsers send a preflight without credentials. A function without permissions handles it, so that no such request
 * reaches a function that has some. A fixed response of API Gateway's own could allow one origin only.
 *
 * @returns the function that answers preflights at every path for vendors
 */
function addCrossOrigin(
  scope: Construct,
  settings: StageSettings,
  answeredBy: VendorApiProps["answeredBy"],
): LambdaFunction {
  const ALLOWED_ORIGINS = settings.allowedOrigins.join(" ");
  const forVendors = servedOperations.filter(({ route }) => isVendors(route));
  const functions = forVendors.map(({ route }) => answeredBy[route.answeredBy]);
  for (const each of new Set(functions)) each.addEnvironment("ALLOWED_ORIGINS", ALLOWED_ORIGINS);
  return pipelineFunction(new Construct(scope, "CrossOrigin"), "answer-preflights", settings, {
    description: "Tells browsers what pages of other origins may send",
    timeout: Duration.seconds(5),
    memorySize: 256,
    environment: { ALLOWED_ORIGINS },
  });
}

/**
 * No query strings, which may hold a player's number, no paths with an ExternalID, and no IP addresses. CloudWatch adds
 * the time itself.
 */
const withoutPersonalData = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    account: AccessLogField.contextAuthorizerPrincipalId(),
    method: AccessLogField.contextHttpMethod(),
    resource: AccessLogField.contextResourcePath(),
    status: AccessLogField.contextStatus(),
    bytes: AccessLogField.contextResponseLength(),
    milliseconds: AccessLogField.contextResponseLatency(),
    refusal: AccessLogField.contextErrorResponseType(),
  }),
);
