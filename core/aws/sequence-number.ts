/** A stream position as a text of one length, DynamoDB's greatest, so that positions sort like numbers. */
export const toSortable = (sequenceNumber = ""): string => sequenceNumber.padStart(40, "0");
