import { Webhook } from "standardwebhooks";

/** Fewest and most bytes of a secret, as Standard Webhooks have it. */
const secretBytes = { fewest: 24, most: 64 };

/**
 * The headers that tell an endpoint that an event is genuine, complete and new.
 *
 * @param secrets as `newSecret` gives them; both the old and the new one while a secret is replaced
 * @param id the event's id, the same for each attempt; without a full stop, since the signed text is divided by them
 * @param at when this attempt is made; receivers refuse what is five minutes old
 * @param body the request's body exactly as it is sent
 * @returns `webhook-id`, `webhook-timestamp`, and `webhook-signature` with one signature a secret, separated by spaces
 * @throws Error if a secret is not base64 or empty
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, Webhook headers
 */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
}

/**
 * A secret that an endpoint's events are signed with.
 *
 * @param random 24 to 64 random bytes
 * @returns `whsec_` and base64
 * @throws RangeError if there are fewer or more bytes
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, Signature scheme
 */
export function newSecret(random: Uint8Array): string {
  if (random.length < secretBytes.fewest || random.length > secretBytes.most) {
    throw new RangeError(
      `A webhook's secret has ${random.length} bytes. Give it ${secretBytes.fewest} to ${secretBytes.most}.`,
    );
  }
  return `whsec_${Buffer.from(random).toString("base64")}`;
}
