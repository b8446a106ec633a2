import Table from "cli-table3";
import type { CardStatus } from "../../client/vendor-api.ts";

/** What became of cards, as a table without colours. */
export function statusTable(statuses: readonly CardStatus[]): string {
  const table = new Table({
    head: ["ExternalID", "State", "Since", "Attempts", "Next attempt", "Last error"],
    style: { head: [], border: [] },
  });
  for (const { externalId, state, since, attempts, nextAttemptAt, lastError } of statuses) {
    const status = lastError?.status === undefined ? "" : `HTTP ${lastError.status}: `;
    const error = lastError === undefined ? "" : `${status}${lastError.message}`;
    table.push([externalId, state, since ?? "", attempts ?? "", nextAttemptAt ?? "", error]);
  }
  return table.toString();
}
