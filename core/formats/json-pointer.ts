/** A name as a step of a JSON pointer. @see RFC 6901 */
export const pointerStep = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
