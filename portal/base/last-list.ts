/** The address of the list that was shown last. */
let shown = "#/cards";

/** Notes that a list is shown. */
export function noteList(address: string): void {
  shown = address;
}

/** The list that a card leads back to, with its filter. */
export const findLastList = (): string => shown;
