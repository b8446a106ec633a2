import type { WebhookAttempt } from "@scorecard-pipeline/scorecards-client";
import type { ShownEndpoint } from "../../api/webhook-schemas.ts";

/** Texts for the reasons why an endpoint is disabled. */
const reasons: Readonly<Record<NonNullable<ShownEndpoint["disabled"]>["why"], string>> = {
  gone: "it answered 410",
  failed_for_days: "it took nothing for three days",
  by_vendor: "you turned it off",
};

/** Lines of a webhook endpoint: its ID and state, then the rest. It has no secret. */
export function webhookLines(webhook: ShownEndpoint): string[] {
  const { id, url, roleArn, types, headers, pending, state, lastTakenAt, failing, disabled } = webhook;
  const lines = [`${id}  ${state}`, `  Address  ${url}`];
  if (roleArn !== undefined) lines.push(`  Role     ${roleArn}`);
  lines.push(`  Types    ${types.join(", ")}`);
  if (headers !== undefined) lines.push(`  Headers  ${headers.join(", ")}`);
  if (pending > 0) lines.push(`  Pending  ${pending} events wait`);
  if (lastTakenAt !== undefined) lines.push(`  Taken    the last event at ${lastTakenAt}`);
  if (failing !== undefined) {
    const { since, failures, nextAttemptAt, status, message } = failing;
    const why = status === undefined ? message : `HTTP ${status}: ${message}`;
    lines.push(`  Failing  since ${since}, ${failures} times; next attempt at ${nextAttemptAt}: ${why}`);
  }
  if (disabled !== undefined) lines.push(`  Disabled since ${disabled.at}, because ${reasons[disabled.why]}`);
  return lines;
}

/** A line for a post of an event to an endpoint. */
export function attemptLine({ id, at, milliseconds, type, status, message }: WebhookAttempt): string {
  const said = [status === undefined ? "" : `HTTP ${status}`, message ?? ""].filter(Boolean).join(": ");
  return `${at}  ${type ?? "-"}  ${said}  ${milliseconds} ms  ${id}`;
}

/** Lines of a secret that is shown once. */
export const secretLines = (secret: string) => [
  `  Secret   ${secret}`,
  "The secret is shown only this once: store it where your endpoint verifies events with it.",
];
