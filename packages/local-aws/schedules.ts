import { TZDate } from "@date-fns/tz";
import * as z from "zod";
import { type AwsEnvironment, arn } from "./base/environment.ts";
import type { ResourceType } from "./base/resource-type.ts";
import type { LocalFunction } from "./functions/local-function.ts";

/** When a schedule fires: the first time after a given one. */
type Recurrence = (after: Date) => Date;

const unitMilliseconds: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

function rate(expression: string): Recurrence | undefined {
  const [, count, unit = ""] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const milliseconds = Number(count) * (unitMilliseconds[unit] ?? Number.NaN);
  return milliseconds > 0 ? (after) => new Date(after.getTime() + milliseconds) : undefined;
}

function daily(expression: string, timeZone: string): Recurrence | undefined {
  const [, minute, hour] = /^cron\((\d{1,2}) (\d{1,2}) \* \* \? \*\)$/.exec(expression) ?? [];
  if (minute === undefined || Number(minute) > 59 || Number(hour) > 23) return undefined;
  return (after) => {
    const local = new TZDate(after, timeZone);
    const on = (day: number): Date =>
      new Date(
        new TZDate(
          local.getFullYear(),
          local.getMonth(),
          local.getDate() + day,
          Number(hour),
          Number(minute),
          timeZone,
        ).getTime(),
      );
    return on(0) > after ? on(0) : on(1);
  };
}

/**
 * Reads a schedule expression: a rate, or a daily time as `cron(minute hour * * ? *)`.
 *
 * @param timeZone IANA name of the time zone of a daily time
 * @throws Error naming an expression of any other form
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
export function readSchedule(expression: string, timeZone: string): Recurrence {
  const recurrence = rate(expression) ?? daily(expression, timeZone);
  if (recurrence === undefined) {
    throw new Error(`the local run does not support the schedule expression ${expression}`);
  }
  return recurrence;
}

/** Ignored: permissions, retries, flexible windows. */
const ignored = z.unknown().optional();

const propertiesSchema = z.strictObject({
  Name: z.string().optional(),
  ScheduleExpression: z.string(),
  ScheduleExpressionTimezone: z.string().default("UTC"),
  State: z.enum(["ENABLED", "DISABLED"]).default("ENABLED"),
  Target: z.strictObject({
    Arn: z.string(),
    Input: z.string().default("{}"),
    RoleArn: ignored,
    RetryPolicy: ignored,
  }),
  FlexibleTimeWindow: ignored,
  Description: ignored,
});

/** A schedule of the stack. */
export interface Schedule {
  readonly recurrence: Recurrence;
  /** Whether it is a rate, which also fires as soon as it is created. */
  readonly isRate: boolean;
  /** Resolves when the function has ended. */
  fire(): Promise<void>;
}

/** AWS::Scheduler::Schedule whose target is a function of the stack. */
export function scheduleType(
  environment: AwsEnvironment,
  target: (functionArn: string) => LocalFunction | undefined,
  found: (schedule: Schedule) => void,
): ResourceType {
  return ({ physicalName, properties }) => {
    const own = propertiesSchema.parse(properties);
    const recurrence = readSchedule(own.ScheduleExpression, own.ScheduleExpressionTimezone);
    const scheduled = target(own.Target.Arn);
    if (scheduled === undefined) throw new Error(`the stack has no function ${own.Target.Arn}`);
    if (own.State === "ENABLED") {
      found({
        recurrence,
        isRate: own.ScheduleExpression.startsWith("rate("),
        // The function logs a failure. Unlike Lambda, the local run does not retry asynchronous invocations.
        fire: () =>
          scheduled.invokeInTurn(own.Target.Input).then(
            () => undefined,
            () => undefined,
          ),
      });
    }
    const name = own.Name ?? physicalName;
    return {
      ref: name,
      attributes: { Arn: arn(environment, "scheduler", `schedule/default/${name}`) },
    };
  };
}

/**
 * Fires schedules as EventBridge Scheduler does: a rate fires for the first time at once.
 *
 * @param speed how much faster rates fire; a time of day stays one
 * @returns a function that stops it, and when the functions that rates called at once have ended
 */
export function startSchedules(schedules: readonly Schedule[], speed: number) {
  const timers = new Map<Schedule, NodeJS.Timeout>();
  const plan = (schedule: Schedule): void => {
    const now = new Date();
    const wait = schedule.recurrence(now).getTime() - now.getTime();
    const delay = schedule.isRate ? wait / speed : wait;
    const fire = (): void => {
      void schedule.fire();
      plan(schedule);
    };
    timers.set(schedule, setTimeout(fire, delay).unref());
  };
  schedules.forEach(plan);
  return {
    fired: Promise.all(schedules.filter(({ isRate }) => isRate).map((schedule) => schedule.fire())),
    stop(): void {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
