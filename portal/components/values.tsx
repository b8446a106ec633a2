import type { Finding } from "@scorecard-pipeline/scorecards-client";
import { texts } from "../texts/texts.ts";

/** The values of a fault or a warning, if it has any. */
export function Values({ finding }: { readonly finding: Pick<Finding, "expected" | "received"> }) {
  const { expected, received } = finding;
  if (expected === undefined && received === undefined) return null;
  return (
    <p class="values">
      {expected !== undefined && (
        <span>
          {texts.card.expected} <code>{JSON.stringify(expected)}</code>
        </span>
      )}
      {received !== undefined && (
        <span>
          {texts.card.received} <code>{JSON.stringify(received)}</code>
        </span>
      )}
    </p>
  );
}
