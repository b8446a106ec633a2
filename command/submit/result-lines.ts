import type { CardFault, CardFindings } from "@scorecard-pipeline/card-files/card-fault";
import type { PreviewCounts } from "@scorecard-pipeline/card-files/preview-cards";
import type { SubmitCounts } from "@scorecard-pipeline/card-files/submit-cards";
import { ApiError, NoResponseError } from "@scorecard-pipeline/scorecards-client";
import { errorLine } from "../base/error-line.ts";
import { counted, printableJson, type Terminal } from "../base/terminal.ts";

/** What a preview came to. */
export function previewSummary({ valid, refused, warnings }: PreviewCounts): string {
  const warned = warnings > 0 ? ` ${counted(warnings, "warning")}.` : "";
  return `${counted(valid + refused, "card")}: ${valid} would be accepted, ${refused} refused.${warned} Nothing is submitted.`;
}

/** What a submission came to. */
export function submitSummary({ accepted, acceptedBefore, refused, warnings }: SubmitCounts): string {
  const before = acceptedBefore > 0 ? `, ${acceptedBefore} accepted before and not sent again` : "";
  const warned = warnings > 0 ? ` ${counted(warnings, "warning")}.` : "";
  const total = counted(accepted + acceptedBefore + refused, "card");
  return `${total}: ${accepted} accepted, ${refused} refused${before}.${warned}`;
}

/** The text beside the progress bar of a submission. */
export function progressText({ accepted, acceptedBefore, refused }: SubmitCounts): string {
  const before = acceptedBefore > 0 ? `, ${acceptedBefore} accepted before` : "";
  return `${accepted} accepted, ${refused} refused${before}`;
}

/** The text beside the progress bar of a preview. */
export const previewText = ({ valid, refused }: Pick<PreviewCounts, "valid" | "refused">) =>
  `${valid} would be accepted, ${refused} refused`;

/** Says that cards are held back that will not count. */
export const noteUncounted = (cards: number, terminal: Terminal): void => {
  if (cards > 0)
    terminal.note(
      `${counted(cards, "card")} will not count for a handicap: see the warnings. They are held back unless --uncounted is given.`,
    );
};

/** Says why a run ended early, and whether it may be repeated. */
export function noteFailure(failure: unknown, terminal: Terminal): void {
  terminal.note(`error: ${errorLine(failure)}`);
  if (terminal.signal.aborted || isTransient(failure))
    terminal.note("Run the same command again to submit the remaining cards.");
}

/** Says while a run is interrupted that it waits. */
export const noteInterruption = (terminal: Terminal): void =>
  terminal.signal.addEventListener(
    "abort",
    () => terminal.note("Waiting for the answers to what was sent. Press Ctrl-C again to stop without them."),
    { once: true },
  );

/** Whether a retry may succeed: not if the file, the address or the account is wrong. */
function isTransient(failure: unknown): boolean {
  if (failure instanceof ApiError) return failure.status === 429 || failure.status >= 500;
  return failure instanceof NoResponseError;
}

/** What was found about a card, below a line that names it. */
export function findingLines(
  { card, externalId, errors, warnings = [] }: CardFindings,
  unit: "card" | "row",
): string[] {
  const name = externalId === undefined ? "without an ExternalID" : printableJson(externalId);
  const lines = (errors ?? warnings).map(({ code, pointer, detail, column }: CardFault) => {
    const place = column === undefined ? pointer && `at ${pointer}` : `in column ${printableJson(column)}`;
    return [`  ${code}`, place, detail && `— ${detail}`].filter(Boolean).join(" ");
  });
  return [`${errors ? "Refused" : "Warning"}: ${unit} ${card}, ${name}`, ...lines];
}
