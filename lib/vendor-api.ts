import { Duration, RemovalPolicy, Size, Validations } from "aws-cdk-lib";
import {
  AccessLogField,
  AccessLogFormat,
  ApiKeySourceType,
  AuthorizationType,
  EndpointType,
  IdentitySource,
  LambdaIntegration,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  Period,
  RequestAuthorizer,
  RestApi,
  type UsagePlan,
} from "aws-cdk-lib/aws-apigateway";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { CrossOrigin, refusalHeaders } from "./cross-origin.ts";
import { addGatewayResponses } from "./gateway-responses.ts";
import { addOpenMethod } from "./open-method.ts";
import type { StageSettings } from "./settings.ts";
import { sampleTraces } from "./trace-sampling.ts";
import { addRoute } from "./vendor-routes.ts";

/** One method of a path below the API set, and the function that answers it. */
export interface VendorRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** e.g. `Clubs/{clubId}/courses`; served in both spellings. */
  readonly path: string;
  readonly answeredBy: LambdaFunction;
  /** A header without which API Gateway refuses the request. */
  readonly requiredHeader?: string;
}

/** One method of a path at the root, which needs no account. */
export interface OpenRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly answeredBy: LambdaFunction;
  /** Requests a second, and at once, where it takes fewer than the API as a whole. */
  readonly throttling?: { readonly ratePerSecond: number; readonly burst: number };
}

/** What the API is given. */
export interface VendorApiProps {
  readonly settings: StageSettings;
  readonly authorize: LambdaFunction;
  readonly routes: readonly VendorRoute[];
  readonly openRoutes: readonly OpenRoute[];
}

/** API Gateway in front of it all: who may call what, and where it goes. */
export class VendorApi extends Construct {
  readonly api: RestApi;
  /** What each vendor may ask for, by the name of the plan. */
  readonly usagePlans: Readonly<Record<keyof StageSettings["usagePlans"], UsagePlan>>;

  constructor(scope: Construct, id: string, { settings, authorize, routes, openRoutes }: VendorApiProps) {
    super(scope, id);
    const kept = { retention: settings.logRetentionDays, removalPolicy: RemovalPolicy.DESTROY };
    const accessLog = new LogGroup(this, "AccessLog", kept);
    this.api = new RestApi(this, "Api", {
      restApiName: `scorecards-${settings.stage}`,
      description: "The union's API for vendors, with what its exchange lacks",
      endpointTypes: [EndpointType.REGIONAL],
      // Has API Gateway take gzipped bodies and gzip its answers.
      minCompressionSize: Size.kibibytes(1),
      // The role by which API Gateway writes logs is the account's, not a stage's: docs/deploy.md.
      cloudWatchRole: false,
      // Who asks is known by Basic credentials; the authorizer hands over the key that the account is counted by.
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      deployOptions: {
        stageName: settings.stage,
        tracingEnabled: true,
        // Why API Gateway itself failed. More than errors would be bodies and query strings, which are players' data.
        loggingLevel: MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
        // The stage's own figures cost nothing. Those of each method would be 200 metrics more, and nobody looks at them.
        metricsEnabled: false,
        throttlingRateLimit: settings.throttling.ratePerSecond,
        throttlingBurstLimit: settings.throttling.burst,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: withoutPersonalData,
        methodOptions: throttled(openRoutes),
      },
    });
    // API Gateway writes its own errors to a group of this name, and would make it itself, to be kept for ever.
    const errorLog = new LogGroup(this, "ErrorLog", {
      logGroupName: `API-Gateway-Execution-Logs_${this.api.restApiId}/${settings.stage}`,
      ...kept,
    });
    this.api.deploymentStage.node.addDependency(errorLog);
    sampleTraces(this, this.api, settings.stage);
    addGatewayResponses(this.api, refusalHeaders(settings.allowedOrigins));

    const authorizer = new RequestAuthorizer(this, "Authorizer", {
      handler: authorize,
      identitySources: [IdentitySource.header("Authorization")],
      resultsCacheTtl: Duration.minutes(5),
    });
    const vendor = this.api.root.addResource("{apiset}", {
      defaultMethodOptions: {
        authorizer,
        authorizationType: AuthorizationType.CUSTOM,
        apiKeyRequired: true,
      },
    });
    // Bodies have no model here: the functions check them, field by field with all faults at once.
    const requestValidator = this.api.addRequestValidator("RequestValidator", {
      validateRequestBody: true,
      validateRequestParameters: true,
    });
    for (const { method, path, answeredBy, requiredHeader } of routes) {
      const options = requiredHeader !== undefined && {
        requestValidator,
        requestParameters: { [`method.request.header.${requiredHeader}`]: true },
      };
      addRoute(vendor, method, path, integrationWith(answeredBy), options || {});
    }

    if (settings.allowedOrigins.length > 0) {
      const functions = [...new Set(routes.map(({ answeredBy }) => answeredBy))];
      new CrossOrigin(this, "CrossOrigin", { settings, below: vendor, functions });
    }

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
      const place = this.api.root.getResource(path) ?? this.api.root.addResource(path);
      const reason =
        "Open to everyone: the form that asks for an account's credentials, and the API's description.";
      addOpenMethod(place, method, integrationWith(answeredBy), reason);
    }

    Validations.of(this.api).acknowledge({
      id: "AwsSolutions-COG4",
      reason:
        "Vendors sign in by HTTP Basic, as at the union, so that moving over is a change of base address.",
    });
    Validations.of(this.api).acknowledge({
      id: "AwsSolutions-APIG3",
      reason:
        "A web application firewall is the operator's choice: vendors are servers with an account each.",
    });
  }
}

/** One permission for each function, not for each method: the same function is behind several. */
const integrationWith = (answeredBy: LambdaFunction) =>
  new LambdaIntegration(answeredBy, { scopePermissionToMethod: false });

/** Limits of single methods, in the stage's own form. */
function throttled(routes: readonly OpenRoute[]): Record<string, MethodDeploymentOptions> {
  const limited = routes.flatMap(({ method, path, throttling }) =>
    throttling === undefined ? [] : [{ place: `/${path}/${method}`, ...throttling }],
  );
  return Object.fromEntries(
    limited.map(({ place, ratePerSecond, burst }) => [
      place,
      { throttlingRateLimit: ratePerSecond, throttlingBurstLimit: burst },
    ]),
  );
}

/**
 * Neither query strings, which may hold a player's number, nor paths with a card's own name, nor addresses; and no
 * time, which CloudWatch has of each line.
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
