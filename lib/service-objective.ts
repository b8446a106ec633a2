import { Duration } from "aws-cdk-lib";
import { MathExpression } from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import { burnAlarms, objective } from "../core/operations/service-objective.ts";
import { addAlarm, ownMetric } from "./monitoring.ts";
import type { StageSettings } from "./stage-settings.ts";

/** Runs that measure the service come every five minutes; in a longer period, a late one is no gap in which an alarm would clear. */
const measuredWithin = { statistic: "Maximum", period: Duration.minutes(10) };

const percent = (share: number) => `${Number((100 * share).toFixed(2))} %`;

/** Alarms that ring if the error budget of the service objective is used up too fast, or if a vendor is silent or sends far too much. */
export function addObjectiveAlarms(scope: Construct, settings: StageSettings): void {
  const { fast, slow } = burnAlarms;
  const goal = `${percent(objective.share)} of the cards within five minutes`;
  addAlarm(scope, "FastBurnAlarm", settings, {
    section: "cards-are-delivered-late",
    says: `So many cards are delivered late that the month's objective (${goal}) is lost within two days.`,
    metric: ownMetric(scope, "wake-waiting-cards", "FastBurnRate", measuredWithin),
    threshold: fast.rate,
  });
  addAlarm(scope, "SlowBurnAlarm", settings, {
    section: "cards-are-delivered-late",
    says: `For three days so many cards have been delivered late that the month's objective (${goal}) is going to be missed.`,
    metric: ownMetric(scope, "wake-waiting-cards", "SlowBurnRate", measuredWithin),
    threshold: slow.rate,
  });
  addAlarm(scope, "VendorSilentAlarm", settings, {
    section: "a-vendor-is-silent",
    says: "A vendor that always sends cards at this time of the week has sent none, or one has sent ten times its usual day.",
    metric: new MathExpression({
      expression: "FILL(silent, 0) + FILL(flooding, 0)",
      usingMetrics: {
        silent: ownMetric(scope, "wake-waiting-cards", "VendorsSilent", measuredWithin),
        flooding: ownMetric(scope, "wake-waiting-cards", "VendorsFlooding", measuredWithin),
      },
      period: measuredWithin.period,
    }),
    threshold: 1,
  });
}
