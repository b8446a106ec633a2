import { TZDate } from "@date-fns/tz";

/** When a schedule fires: the first time after a given one. */
export type Recurrence = (after: Date) => Date;

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
