import type { Webhook } from "../../client/index.ts";

/** What `disabled` says of an endpoint. */
const reasons: Readonly<Record<NonNullable<Webhook["disabled"]>["why"], string>> = {
  gone: "it answered 410",
  failed_for_days: "it took nothing for three days",
  by_vendor: "you turned it off",
};

/** Lines of a webhook endpoint: its ID and state, then the rest. It has no secret. */
export function webhookLines({ id, url, types, state, failing, disabled }: Webhook): string[] {
  const lines = [`${id}  ${state}`, `  Address  ${url}`, `  Types    ${types.join(", ")}`];
  if (failing !== undefined) {
    const { since, failures, nextAttemptAt, status, message } = failing;
    const why = status === undefined ? message : `HTTP ${status}: ${message}`;
    lines.push(`  Failing  since ${since}, ${failures} times; next attempt at ${nextAttemptAt}: ${why}`);
  }
  if (disabled !== undefined) lines.push(`  Disabled since ${disabled.at}, because ${reasons[disabled.why]}`);
  return lines;
}
