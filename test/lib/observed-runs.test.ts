import { Match, type Template } from "aws-cdk-lib/assertions";
import { beforeAll, expect, test } from "vitest";
import { settings } from "../../lib/settings.ts";
import { templateOf } from "../synthesized-stack.ts";

let template: Template;

beforeAll(async () => {
  template = await templateOf(settings.production);
});

test("logs keep only warnings of Lambda itself, and all lines of the functions", () => {
  for (const { Properties } of Object.values(template.findResources("AWS::Lambda::Function"))) {
    expect(Properties.LoggingConfig).toMatchObject({ LogFormat: "JSON", SystemLogLevel: "WARN" });
    expect(Properties.LoggingConfig).not.toHaveProperty("ApplicationLogLevel");
  }
});

test("only the count at the end of the day is retried by the scheduler and Lambda", () => {
  const schedules = Object.values(template.findResources("AWS::Scheduler::Schedule"));
  const functions = template.findResources("AWS::Lambda::Function");
  const configurations = Object.values(template.findResources("AWS::Lambda::EventInvokeConfig"));
  const retries = schedules.map(({ Properties: { Target } }) => {
    const [invoked] = Target.Arn["Fn::GetAtt"];
    const own = configurations.find(({ Properties }) => Properties.FunctionName.Ref === invoked);
    return {
      function: functions[invoked]?.Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME,
      byTheScheduler: Target.RetryPolicy.MaximumRetryAttempts,
      byLambda: own?.Properties.MaximumRetryAttempts,
    };
  });
  expect(retries).toEqual([
    { function: "mirror-courses", byTheScheduler: 0, byLambda: 0 },
    { function: "follow-outcomes", byTheScheduler: 0, byLambda: 0 },
    { function: "measure-unsent", byTheScheduler: 2, byLambda: 2 },
    { function: "wake-waiting-cards", byTheScheduler: 2, byLambda: 2 },
    { function: "wake-waiting-cards", byTheScheduler: 2, byLambda: 2 },
  ]);
});

/** The metrics of alarms on expressions. */
const readWatchedMetrics = () =>
  Object.values(template.findResources("AWS::CloudWatch::Alarm")).flatMap(
    ({ Properties: { Metrics = [] } }) =>
      Metrics.flatMap(
        ({ MetricStat }: { readonly MetricStat?: { readonly Metric: unknown } }) => MetricStat?.Metric ?? [],
      ),
  );

test("a sync that waits for another one rings no alarm", () => {
  const syncs = Object.entries(template.findResources("AWS::Lambda::Function")).filter(
    ([, { Properties }]) =>
      Properties.Environment?.Variables.POWERTOOLS_SERVICE_NAME === "mirror-courses" &&
      Properties.ReservedConcurrentExecutions === 1,
  );
  expect(syncs).toHaveLength(1);
  const watched = readWatchedMetrics()
    .filter(({ MetricName }) => MetricName === "Throttles")
    .map(({ Dimensions }) => Dimensions[0].Value.Ref);
  expect(watched).not.toHaveLength(0);
  expect(watched).not.toContain(syncs[0]?.[0]);
});

test("the API publishes the stage's metrics, which are free, and none for each method", () => {
  const stages = Object.values(template.findResources("AWS::ApiGateway::Stage"));
  const methods = stages.flatMap(({ Properties }) => Properties.MethodSettings);
  expect(methods).toHaveLength(11);
  for (const { MetricsEnabled = false } of methods) expect(MetricsEnabled).toBe(false);
  const ofTheApi = readWatchedMetrics().filter(({ Namespace }) => Namespace === "AWS/ApiGateway");
  expect(ofTheApi).toHaveLength(1);
  for (const { Dimensions } of ofTheApi) {
    const names = Dimensions.map(({ Name }: { readonly Name: string }) => Name);
    expect(names).toEqual(["ApiName", "Stage"]);
  }
});

test("every log is kept as long as the settings say, including API Gateway's own errors", () => {
  const groups = template.findResources("AWS::Logs::LogGroup");
  for (const { Properties } of Object.values(groups)) {
    expect(Properties.RetentionInDays).toBe(settings.production.logRetentionDays);
  }
  const errors = Object.keys(groups).filter((id) =>
    JSON.stringify(groups[id]?.Properties.LogGroupName)?.includes("API-Gateway-Execution-Logs_"),
  );
  // Created before the stage, or API Gateway would create it first.
  template.hasResource("AWS::ApiGateway::Stage", { DependsOn: Match.arrayWith(errors) });
  expect(errors).toHaveLength(1);
});
