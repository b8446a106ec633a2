import type { FaultCode, WarningCode } from "./fault-codes.ts";
import type { Finding } from "./finding.ts";

/** The values a finding is about. */
interface Values {
  readonly expected?: unknown;
  readonly received?: unknown;
}

/** Collects what is found in one card. */
export interface Findings {
  readonly faults: Finding[];
  readonly warnings: Finding[];
  fault(pointer: string, code: FaultCode, detail: string, values?: Values): void;
  warn(pointer: string, code: WarningCode, detail: string, values?: Values): void;
}

/** An empty collection for one card, which puts the card's place and ExternalID into all that is found. */
export function findingsOf(index: number, externalId: string | undefined): Findings {
  const faults: Finding[] = [];
  const warnings: Finding[] = [];
  const card = externalId === undefined ? { index } : { index, externalId };
  return {
    faults,
    warnings,
    fault(pointer, code, detail, values) {
      faults.push({ ...card, pointer, code, detail, ...values });
    },
    warn(pointer, code, detail, values) {
      warnings.push({ ...card, pointer, code, detail, ...values });
    },
  };
}
