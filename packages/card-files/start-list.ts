/** A row of a start list: a player whose cards are expected. */
export interface StartListRow {
  /** As a spreadsheet shows it. */
  readonly number: number;
  readonly unionId: string;
  /** The vendor's own, such as a start number; empty if there is none. */
  readonly label: string;
}

/** What is wrong with a row of a start list. */
export interface StartListFault {
  readonly kind: "noNumber" | "notNumber" | "twice" | "noLabel" | "numberAsLabel";
  /** The cell that it is in. */
  readonly field: "unionId" | "label";
  /** The first row with the same player. */
  readonly first?: number;
}

/** The most players that a start list may have. */
export const maxPlayers = 2_000;

// A test compares these with what the API takes, whose own checks a browser cannot load.
const unionIdForm = /^[0-9]+-[0-9A-Za-z]+$/;
const labelForm = /^(?=.{1,8}$)[A-Za-z ./_#-]*[0-9][0-9A-Za-z ./_#-]*$/;

/** The form in which member numbers are compared: 032-01 is 32-1. */
const plainNumber = (unionId: string): string =>
  unionId.replaceAll(/(^|-)0+(?=[0-9A-Za-z])/g, "$1").toUpperCase();

/** The faults of a start list's rows, by their numbers. */
export function startListFaults(
  rows: readonly StartListRow[],
): ReadonlyMap<number, readonly StartListFault[]> {
  const firstOf = new Map<string, number>();
  for (const { number, unionId } of rows) {
    if (!firstOf.has(plainNumber(unionId))) firstOf.set(plainNumber(unionId), number);
  }
  const faults = new Map<number, readonly StartListFault[]>();
  for (const row of rows) {
    const found = [...numberFaults(row, firstOf), ...labelFaults(row, firstOf)];
    if (found.length > 0) faults.set(row.number, found);
  }
  return faults;
}

function numberFaults(
  { number, unionId }: StartListRow,
  firstOf: ReadonlyMap<string, number>,
): StartListFault[] {
  if (unionId === "") return [{ kind: "noNumber", field: "unionId" }];
  if (!unionIdForm.test(unionId)) return [{ kind: "notNumber", field: "unionId" }];
  const first = firstOf.get(plainNumber(unionId)) ?? number;
  return first === number ? [] : [{ kind: "twice", field: "unionId", first }];
}

function labelFaults({ label }: StartListRow, firstOf: ReadonlyMap<string, number>): StartListFault[] {
  if (label === "") return [];
  if (!labelForm.test(label)) return [{ kind: "noLabel", field: "label" }];
  // A label is kept and shown, and a list is kept without its numbers.
  return firstOf.has(plainNumber(label)) ? [{ kind: "numberAsLabel", field: "label" }] : [];
}
