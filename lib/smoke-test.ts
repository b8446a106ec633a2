import { Duration, RemovalPolicy, Validations } from "aws-cdk-lib";
import type { Key } from "aws-cdk-lib/aws-kms";
import { Schedule, ScheduleExpression } from "aws-cdk-lib/aws-scheduler";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import { addAlarm, ownMetric } from "./monitoring.ts";
import { allow, pipelineFunction, scheduled } from "./pipeline-function.ts";
import type { StageSettings } from "./stage-settings.ts";

/** Options of {@link addSmokeTest}. */
export interface SmokeTestProps {
  readonly settings: StageSettings;
  readonly smokeTest: NonNullable<StageSettings["smokeTest"]>;
  /** Base address for vendors. */
  readonly baseAddress: string;
  readonly key: Key;
}

/** Runs of the last three that must fail: a single one may have come while something was replaced. */
const rings = { bad: 2, ofPeriods: 3 };

/** Has cards go the whole way on a schedule, by the API like those of a vendor, and an alarm ring if that fails. */
export function addSmokeTest(
  scope: Construct,
  { settings, smokeTest, baseAddress, key }: SmokeTestProps,
): void {
  const { stage, union } = settings;
  const secretName = `scorecards/${stage}/smoke-test`;
  const secret = new Secret(scope, "SmokeTestSecret", {
    secretName,
    encryptionKey: key,
    // Kept, it would be in the way of its own name once the setting is on again.
    removalPolicy: RemovalPolicy.DESTROY,
    description: "The vendor account here whose cards the smoke test sends: username, password, apiSet",
  });
  Validations.of(secret).acknowledge({
    id: "AwsSolutions-SMG4",
    reason: "The account table has only a hash of the password; `scorecards account` replaces both.",
  });
  const test = pipelineFunction(scope, "smoke-test", settings, {
    description: "Sends a good and a bad scorecard as a vendor does",
    timeout: Duration.minutes(1),
    memorySize: 512,
    // Two at the same time would only disturb each other.
    reservedConcurrentExecutions: 1,
    environment: {
      API_ADDRESS: baseAddress,
      SMOKE_TEST_SECRET: secretName,
      TIME_ZONE: union.timeZone,
      ...(smokeTest.player !== undefined && { SMOKE_TEST_PLAYER: smokeTest.player }),
    },
  });
  allow(test, ["secretsmanager:GetSecretValue"], [secret.secretArn]);
  const period = Duration.minutes(smokeTest.everyMinutes);
  new Schedule(scope, "Runs", {
    description: "A smoke test of the whole way of a card",
    schedule: ScheduleExpression.rate(period),
    // No retries: the next run comes soon.
    target: scheduled(scope, "SchedulerRole", test, 0)({}),
  });
  addAlarm(scope, "SmokeTestAlarm", settings, {
    section: "the-smoke-test-fails",
    says: "A good card does not go through, or a bad one does: two of the last three smoke tests failed, or none ran.",
    metric: ownMetric(scope, "smoke-test", "SmokeTestsFailed", { statistic: "Maximum", period }),
    threshold: 1,
    // A test that does not run publishes nothing.
    ringsWithoutData: true,
    rings,
  });
}
