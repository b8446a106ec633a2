import { Duration, RemovalPolicy, Size, Validations } from "aws-cdk-lib";
import {
  AccessLogField,
  AccessLogFormat,
  ApiKeySourceType,
  AuthorizationType,
  type CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  IdentitySource,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  Period,
  RequestAuthorizer,
  RestApi,
  SecurityPolicy,
  type UsagePlan,
} from "aws-cdk-lib/aws-apigateway";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { CfnSamplingRule } from "aws-cdk-lib/aws-xray";
import { Construct } from "constructs";
import { serveUnderDomain } from "./custom-domain.ts";
import { addFirewall } from "./firewall.ts";
import { addGatewayResponses } from "./gateway-responses.ts";
import type { StageSettings } from "./settings.ts";
import { addCrossOrigin, addOpenMethod, addRoute, integrationWith } from "./vendor-routes.ts";

/** One method of a path below the API set, or beside the API sets, and the function that answers it. */
export interface VendorRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** e.g. `Clubs/{clubId}/courses`; served in both spellings. */
  readonly path: string;
  readonly answeredBy: LambdaFunction;
  /** Whether the function streams its responses, and compresses them itself. */
  readonly streamed?: true;
  /** API Gateway refuses requests without this header. */
  readonly requiredHeader?: string;
}

/** One method of a path at the root, which needs no account. */
export interface OpenRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly answeredBy: LambdaFunction;
  /** Limit of this route, if it is lower than the API's. */
  readonly throttling?: { readonly ratePerSecond: number; readonly burst: number };
}

/** What the API needs. */
export interface VendorApiProps {
  readonly settings: StageSettings;
  readonly authorize: LambdaFunction;
  readonly routes: readonly VendorRoute[];
  /** Paths beside the API sets, for accounts that are granted them. */
  readonly operatorRoutes: readonly VendorRoute[];
  readonly openRoutes: readonly OpenRoute[];
}

/** The share of requests to the API of which X-Ray records a trace. */
export const tracedShare = 0.002;

/** The API Gateway in front of the functions, with the authorizer, routes, limits, logs and traces. */
export class VendorApi extends Construct {
  readonly api: RestApi;
  /** Base address for vendors, with a slash at its end. */
  readonly baseAddress: string;
  /** Limits of a vendor, by the name of the plan. */
  readonly usagePlans: Readonly<Record<keyof StageSettings["usagePlans"], UsagePlan>>;

  constructor(
    scope: Construct,
    id: string,
    { settings, authorize, routes, operatorRoutes, openRoutes }: VendorApiProps,
  ) {
    super(scope, id);
    const kept = { retention: settings.logRetentionDays, removalPolicy: RemovalPolicy.DESTROY };
    const accessLog = new LogGroup(this, "AccessLog", kept);
    this.api = new RestApi(this, "Api", {
      restApiName: `scorecards-${settings.stage}`,
      description: "The union's API for vendors, with what its exchange lacks",
      endpointTypes: [EndpointType.REGIONAL],
      // Makes API Gateway accept gzipped bodies and gzip its responses, except streamed ones.
      minCompressionSize: Size.kibibytes(1),
      // API Gateway's role for logs belongs to the AWS account, not to a stage: docs/deploy.md.
      cloudWatchRole: false,
      // Vendors send Basic credentials; the authorizer returns the API key that counts the account's requests.
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      deployOptions: {
        stageName: settings.stage,
        tracingEnabled: true,
        ...methodLogging,
        throttlingRateLimit: settings.throttling.ratePerSecond,
        throttlingBurstLimit: settings.throttling.burst,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: withoutPersonalData,
        methodOptions: throttled(openRoutes),
      },
    });
    // The stack's own outputs name each address once.
    this.api.node.tryRemoveChild("Endpoint");
    const cfnApi = this.api.node.defaultChild as CfnRestApi;
    // TLS 1.2 and 1.3. By default API Gateway still accepts TLS 1.0.
    cfnApi.securityPolicy = SecurityPolicy.TLS13_1_2_PQ_2025_09;
    cfnApi.endpointAccessMode = EndpointAccessMode.BASIC;
    // API Gateway writes its errors to a group of this name. Created by itself, it would keep them for ever.
    const errorLog = new LogGroup(this, "ErrorLog", {
      logGroupName: `API-Gateway-Execution-Logs_${this.api.restApiId}/${settings.stage}`,
      ...kept,
    });
    this.api.deploymentStage.node.addDependency(errorLog);
    this.sampleTraces(settings.stage);
    addGatewayResponses(this.api, settings.allowedOrigins);

    const authorizer = new RequestAuthorizer(this, "Authorizer", {
      handler: authorize,
      identitySources: [IdentitySource.header("Authorization")],
      resultsCacheTtl: Duration.minutes(5),
    });
    const withAccount = { authorizer, authorizationType: AuthorizationType.CUSTOM, apiKeyRequired: true };
    const vendor = this.api.root.addResource("{apiset}", { defaultMethodOptions: withAccount });
    // Bodies have no model here: the functions check them and report all faults at once.
    const requestValidator = this.api.addRequestValidator("RequestValidator", {
      validateRequestBody: true,
      validateRequestParameters: true,
    });
    for (const { method, path, answeredBy, streamed, requiredHeader } of routes) {
      const options = requiredHeader !== undefined && {
        requestValidator,
        requestParameters: { [`method.request.header.${requiredHeader}`]: true },
      };
      addRoute(vendor, method, path, integrationWith(answeredBy, streamed), options || {});
    }
    for (const { method, path, answeredBy } of operatorRoutes) {
      addRoute(this.api.root, method, path, integrationWith(answeredBy), withAccount);
    }

    if (settings.allowedOrigins.length > 0) {
      addCrossOrigin(vendor, new Set(routes.map(({ answeredBy }) => answeredBy)), this, settings);
    }

    const { domain, firewall } = settings;
    this.baseAddress =
      domain === undefined ? this.api.url : serveUnderDomain(this, this.api, domain, settings.stage);
    if (firewall !== undefined) addFirewall(this, this.api, firewall, settings.stage);

    const { standard, tournament } = settings.usagePlans;
    const plan = (id: string, { ratePerSecond, burst, requestsPerDay }: typeof standard) =>
      this.api.addUsagePlan(id, {
        name: `scorecards-${settings.stage}-${id.toLowerCase()}`,
        apiStages: [{ stage: this.api.deploymentStage }],
        throttle: { rateLimit: ratePerSecond, burstLimit: burst },
        quota: { limit: requestsPerDay, period: Period.DAY },
      });
    this.usagePlans = { standard: plan("Standard", standard), tournament: plan("Tournament", tournament) };

    for (const { method, path, answeredBy } of openRoutes) {
      const resource = this.api.root.getResource(path) ?? this.api.root.addResource(path);
      const reason = "Open to everyone: the login form, the API's description, and the portal without data.";
      addOpenMethod(resource, method, integrationWith(answeredBy), reason);
    }

    Validations.of(this.api).acknowledge({
      id: "AwsSolutions-COG4",
      reason: "Vendors send HTTP Basic credentials, as to the union, so that only the base address changes.",
    });
    if (firewall === undefined) {
      Validations.of(this.api).acknowledge({
        id: "AwsSolutions-APIG3",
        reason: "A web application firewall is the operator's choice: vendors are servers with accounts.",
      });
    }
  }

  /**
   * X-Ray's default rule would trace the first request of each second and 5 % of the others, which costs 0.25 USD for a
   * million cards that are submitted singly.
   *
   * @see X-Ray developer guide, Configuring sampling rules
   */
  private sampleTraces(stage: string): void {
    new CfnSamplingRule(this, "TraceSampling", {
      samplingRule: {
        ruleName: `scorecards-${stage}`,
        version: 1,
        priority: 1000,
        resourceArn: this.api.deploymentStage.stageArn,
        serviceType: "AWS::ApiGateway::Stage",
        serviceName: "*",
        host: "*",
        httpMethod: "*",
        urlPath: "*",
        fixedRate: tracedShare,
        reservoirSize: 0,
      },
    });
  }
}

/** What API Gateway logs and counts of each method. */
const methodLogging = {
  // A higher level would log bodies and query strings, which are players' data.
  loggingLevel: MethodLoggingLevel.ERROR,
  dataTraceEnabled: false,
  // Metrics of the stage are free. Those of each method would be 200 more, to be paid for.
  metricsEnabled: false,
} satisfies MethodDeploymentOptions;

/** Options of methods with a limit of their own, by path and method. They replace the stage's options, not only its limit. */
function throttled(routes: readonly OpenRoute[]): Record<string, MethodDeploymentOptions> {
  const options: Record<string, MethodDeploymentOptions> = {};
  for (const { method, path, throttling } of routes) {
    if (throttling === undefined) continue;
    const { ratePerSecond: throttlingRateLimit, burst: throttlingBurstLimit } = throttling;
    options[`/${path}/${method}`] = { ...methodLogging, throttlingRateLimit, throttlingBurstLimit };
  }
  return options;
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
