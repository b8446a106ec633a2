const guid = /^\{?[\da-f]{8}(-?[\da-f]{4}){3}-?[\da-f]{12}\}?$/i;
// No more digits than a number holds exactly.
const decimal = /^[+-]?\d{1,15}(\.\d{1,9})?$/;
const timestamp = /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)(\.0+)?Z?$/i;

/** A text in the one of its Unicode forms that is compared, without blanks around it. */
export const readText = (text: string): string => text.normalize("NFC").trim();

/** A value as a text that all its spellings share: a number as a text, a GUID in another case, a timestamp with separators. */
function canonical(value: unknown): string {
  if (typeof value !== "string") return String(value);
  const text = readText(value);
  if (decimal.test(text)) return String(Number(text));
  if (guid.test(text)) return text.replace(/[{}-]/g, "").toLowerCase();
  if (/^(true|false)$/i.test(text)) return text.toLowerCase();
  return text.replace(timestamp, "$1$2$3T$4$5$6");
}

/**
 * Whether a value that was sent and came back is still the same.
 *
 * Programs between may have read it into types and written it anew: spellings may change, null and fields that are left out are
 * equal, and fields may be added.
 */
export function isSameValue(returned: unknown, sent: unknown): boolean {
  if (returned === sent) return true;
  if (returned === null || returned === undefined || sent === null || sent === undefined) return true;
  if (typeof returned !== "object" || typeof sent !== "object") {
    return (
      typeof returned !== "object" && typeof sent !== "object" && canonical(returned) === canonical(sent)
    );
  }
  if (Array.isArray(returned) || Array.isArray(sent)) {
    if (!Array.isArray(returned) || !Array.isArray(sent) || returned.length !== sent.length) return false;
    // A null in a list is not left out, because the others keep their places.
    return returned.every(
      (value, place) => (value === null) === (sent[place] === null) && isSameValue(value, sent[place]),
    );
  }
  return areFieldsSame(Object.entries(returned), sent as Readonly<Record<string, unknown>>);
}

function areFieldsSame(
  returned: readonly (readonly [name: string, value: unknown])[],
  sent: Readonly<Record<string, unknown>>,
): boolean {
  let byLowerName: Map<string, unknown> | undefined;
  return returned.every(([name, value]) => {
    if (Object.hasOwn(sent, name)) return isSameValue(value, sent[name]);
    byLowerName ??= new Map(Object.entries(sent).map(([own, of]) => [own.toLowerCase(), of]));
    return isSameValue(value, byLowerName.get(name.toLowerCase()));
  });
}
