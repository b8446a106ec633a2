import type { CardStatus } from "../../client/vendor-api.ts";
import { tableLines } from "../table-lines.ts";

/** What became of cards, as the lines of a table. */
export function statusTable(statuses: readonly CardStatus[]): string[] {
  const head = ["ExternalID", "State", "Since", "Attempts", "Next attempt", "Last error"];
  const rows = statuses.map(({ externalId, state, since, attempts, nextAttemptAt, lastError }) => {
    const status = lastError?.status === undefined ? "" : `HTTP ${lastError.status}: `;
    const error = lastError === undefined ? "" : `${status}${lastError.message}`;
    return [externalId, state, since ?? "", attempts ?? "", nextAttemptAt ?? "", error];
  });
  return tableLines(head, rows);
}
