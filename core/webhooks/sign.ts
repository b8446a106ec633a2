import { Webhook } from "standardwebhooks";

/**
 * The headers that tell an endpoint that an event is genuine, complete and new: with one signature a secret, while a secret is replaced.
 *
 * @param id the event's id, the same for each attempt; without a full stop, since the signed text is divided by them
 * @param at when this attempt is made; receivers refuse what is five minutes old
 * @param body the request's body exactly as it is sent
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, Webhook headers
 */
export const signedHeaders = (
  secrets: readonly string[],
  id: string,
  at: Date,
  body: string,
): Record<string, string> => ({
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
});

/** A secret that an endpoint's events are signed with. @param random 24 to 64 random bytes, as Standard Webhooks have it */
export const newSecret = (random: Uint8Array): string => `whsec_${Buffer.from(random).toString("base64")}`;
