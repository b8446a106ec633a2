/** Whether a card's name was made from the file and the row, which tells a person nothing. */
export const isMadeName = (externalId: string): boolean =>
  /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(externalId);
