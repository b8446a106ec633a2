import type { WebhookEvent } from "./api-types.ts";

/** The signature of a webhook is missing, wrong or too old: answer 401 and use nothing of the request. */
export class WebhookSignatureError extends Error {
  override readonly name = "WebhookSignatureError";
}

/** A request that a webhook receiver got. */
export interface WebhookRequest {
  /** By lower-case name, as Node has them, or as `Headers`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As it was received: a body that was parsed and written again has another signature. */
  readonly body: string | Uint8Array;
  /** `whsec_` and base64; several while a secret is replaced. */
  readonly secret: string | readonly string[];
  /** Milliseconds since 1970; by default the current time. */
  readonly now?: number;
}

/** How much older or newer than now a signature may be, so that a recorded request cannot be sent again later. */
const toleranceSeconds = 5 * 60;
/** More than a sender has secrets: whoever reads on hashes for a stranger. */
const maxSignatures = 10;
const secretPrefix = "whsec_";

/**
 * Verifies a request as Standard Webhooks have it, in constant time: the headers webhook-id, webhook-timestamp and
 * webhook-signature.
 *
 * @returns the event: `type` says which. Ignore types that you do not know, which may be added
 * @throws WebhookSignatureError if nobody with the secret signed it within the last five minutes; TypeError if a secret is none
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { body, now = Date.now() } = request;
  const id = header(request, "webhook-id");
  const timestamp = header(request, "webhook-timestamp");
  const signatures = header(request, "webhook-signature").split(" ", maxSignatures);
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookSignatureError("The header webhook-timestamp is not in seconds since 1970.");
  }
  if (Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookSignatureError(
      "The webhook's timestamp is more than five minutes away. Check this machine's clock.",
    );
  }

  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(start.length + bytes.length);
  signed.set(start);
  signed.set(bytes, start.length);
  const given = signatures.flatMap((one) => (one.startsWith("v1,") ? (fromBase64(one.slice(3)) ?? []) : []));
  for (const secret of [request.secret].flat()) {
    const signature = new Uint8Array(await crypto.subtle.sign("HMAC", await keyOf(secret), signed));
    if (given.some((one) => isSame(one, signature)))
      return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
  }
  throw new WebhookSignatureError(
    "No signature of the webhook is valid. Check the secret, and pass the body unchanged.",
  );
}

function header({ headers }: WebhookRequest, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : (headers as Record<string, unknown>)[name];
  if (typeof value === "string" && value !== "") return value;
  throw new WebhookSignatureError(`The header ${name} is missing.`);
}

function keyOf(secret: string) {
  const bytes = secret.startsWith(secretPrefix) ? fromBase64(secret.slice(secretPrefix.length)) : undefined;
  if (bytes === undefined || bytes.length === 0) {
    throw new TypeError(`A webhook's secret is ${secretPrefix} and base64.`);
  }
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** Compares in a time that does not depend on where the two differ. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (const [place, byte] of other.entries()) difference |= byte ^ (one[place] ?? 0);
  return difference === 0;
}

/** Undefined if the text is not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
