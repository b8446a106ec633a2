/** Headers that a vendor has its endpoint's events sent with, by name. */
export type OwnHeaders = Readonly<Record<string, string>>;

/** The User-Agent of every post to an endpoint. */
export const webhookUserAgent = "scorecards-webhooks/1";

/** Whether a request is a post of ours to an endpoint, by a header that we set and vendors may not choose. */
export const isOwnPost = (header: (name: string) => string | undefined): boolean =>
  header("user-agent") === webhookUserAgent || header("webhook-signature") !== undefined;

/** What a vendor's own headers may be at most. They are read and written with the endpoint. */
export const ownHeaderLimits = { headers: 10, nameCharacters: 100, valueCharacters: 500, characters: 2_000 };

/** Those that we set, and those of a single connection, which are not an endpoint's to choose. @see RFC 9110, 7.6.1 */
const reserved =
  /^(?:(?:webhook|proxy)-.*|connection|content-(?:encoding|length|type)|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent)$/i;

/** The characters of a token. @see RFC 9110, 5.6.2 */
const token = /^[0-9A-Za-z_!#$%&'*+.^`|~-]+$/;
/** Printable ASCII, without spaces at its ends, which would not arrive. */
const printable = /^[!-~]([ -~]*[!-~])?$/;

/** Patterns of a vendor's own headers, for JSON Schema. */
export const ownHeaderPatterns = { name: token.source, value: printable.source } as const;

/** The most headers of a vendor's own that a queue's messages have: SQS takes ten attributes, and three are ours. */
const maxAttributes = 7;
/** A name that SQS takes for an attribute. @see SQS API reference, SendMessage, MessageAttribute */
const attributeName = /^(?!(?:aws|amazon)\.|\.)(?!.*\.\.)[\w.-]+(?<!\.)$/i;

/**
 * What is wrong with the headers of a queue's messages, which are attributes there.
 *
 * @returns undefined if they can be sent
 */
export function ownAttributesFault(headers: OwnHeaders): string | undefined {
  const names = Object.keys(headers);
  if (names.length > maxAttributes) {
    return `headers has ${names.length} entries. A queue's messages have at most ${maxAttributes}.`;
  }
  const place = names.findIndex((name) => !attributeName.test(name));
  if (place === -1) return ownHeadersFault(headers);
  return `Name ${place + 1} in headers is none of a message attribute in SQS: use letters, digits, hyphens, underscores and full stops.`;
}

/**
 * What is wrong with a vendor's own headers. The message has no value, which may be a credential.
 *
 * @returns undefined if they can be sent
 */
export function ownHeadersFault(headers: OwnHeaders): string | undefined {
  const entries = Object.entries(headers);
  const { headers: most, nameCharacters, valueCharacters, characters } = ownHeaderLimits;
  if (entries.length > most) return `headers has ${entries.length} entries. Send at most ${most}.`;
  for (const [place, [name, value]] of entries.entries()) {
    if (name.length > nameCharacters || !token.test(name)) {
      return `Name ${place + 1} in headers is no header's name of up to ${nameCharacters} characters, such as X-Api-Key.`;
    }
    if (reserved.test(name)) return `The header ${name} is set by the sender. Leave it out.`;
    if (value.length > valueCharacters || !printable.test(value)) {
      return `The value of ${name} in headers is not 1 to ${valueCharacters} printable ASCII characters.`;
    }
  }
  if (new Set(entries.map(([name]) => name.toLowerCase())).size < entries.length) {
    return "headers has the same name twice, in another case.";
  }
  const length = entries.flat().join("").length;
  if (length > characters) return `headers has ${length} characters. Send at most ${characters} together.`;
  return undefined;
}
