/** How a submission with bad cards is taken. @see RFC 7240, 4.4 */
export type Handling = "strict" | "lenient";

/** Reads `handling` from a Prefer header; strict where it says nothing of the kind, as the RFC wants it. */
export function readHandling(prefer: string | undefined): Handling {
  return /(?:^|[,;])\s*handling\s*=\s*"?lenient"?\s*(?:$|[,;])/i.test(prefer ?? "") ? "lenient" : "strict";
}
