import { Duration, TimeZone } from "aws-cdk-lib";
import { Schedule, ScheduleExpression } from "aws-cdk-lib/aws-scheduler";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { addAlarm, ownMetric } from "./alarm.ts";
import { allow, pipelineFunction } from "./pipeline-function.ts";
import { scheduled } from "./scheduled-function.ts";
import type { StageSettings } from "./settings.ts";

/** What counting unsent cards is given. */
export interface UnsentCardsProps {
  readonly settings: StageSettings;
  /** Cards on their way to the exchange. */
  readonly queue: Queue;
}

/**
 * Counts what is still unsent when the day ends, since a round counts on the day it is played.
 *
 * CloudWatch cannot ring at a time of day, least of all where there is summer time. So a function counts at that time,
 * and the alarm looks at what it counted.
 */
export class UnsentCards extends Construct {
  constructor(scope: Construct, id: string, { settings, queue }: UnsentCardsProps) {
    super(scope, id);
    const measure = pipelineFunction(this, "measure-unsent", settings, {
      description: "Counts the cards that are still unsent when the day ends",
      timeout: Duration.seconds(10),
      memorySize: 256,
      environment: { DELIVERY_QUEUE_URL: queue.queueUrl },
    });
    allow(measure, ["sqs:GetQueueAttributes"], [queue.queueArn]);

    const { hour, minute } = settings.alarms.unsentAt;
    new Schedule(this, "EndOfDay", {
      description: "When the day's cards should be delivered",
      schedule: ScheduleExpression.cron({
        hour: String(hour),
        minute: String(minute),
        timeZone: TimeZone.of(settings.timeZone),
      }),
      // There is no other count that day, and counting twice does no harm.
      target: scheduled(this, "SchedulerRole", measure, 2)({}),
    });
    addAlarm(this, "UnsentAlarm", settings, {
      section: "cards-are-unsent-at-the-end-of-the-day",
      says: `Cards are still unsent at ${hour}:${String(minute).padStart(2, "0")} the union's time.`,
      metric: ownMetric(this, "measure-unsent", "MessagesUnsent", { statistic: "Maximum" }),
      threshold: 1,
    });
  }
}
