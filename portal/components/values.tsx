import type { Finding } from "@scorecard-pipeline/scorecards-client";
import { formatTenThousandths, formatWallClock } from "../base/format.ts";
import { texts } from "../texts/texts.ts";

/** The values of a fault or a warning, if it has any. */
export function Values({
  finding,
}: {
  readonly finding: Pick<Finding, "pointer" | "expected" | "received">;
}) {
  const { pointer, expected, received } = finding;
  if (expected === undefined && received === undefined) return null;
  return (
    <p class="values">
      {expected !== undefined && (
        <span>
          {texts.card.expected} <code>{formatValue(pointer, expected)}</code>
        </span>
      )}
      {received !== undefined && (
        <span>
          {texts.card.received} <code>{formatValue(pointer, received)}</code>
        </span>
      )}
    </p>
  );
}

/** A value of a card as golfers write it. */
function formatValue(pointer: string, value: unknown): string {
  if (pointer === "/Result/IsQualifying" && typeof value === "boolean")
    return value ? texts.card.qualifying : texts.card.notQualifying;
  if (/\/(HCP|TeeRating)$/.test(pointer) && /^-?\d+$/.test(String(value)))
    return formatTenThousandths(String(value));
  if (/Time$/.test(pointer) && typeof value === "string") return formatWallClock(value);
  if (Array.isArray(value)) return value.map((one) => formatValue(pointer, one)).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
