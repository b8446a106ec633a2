import { eventExample } from "../event-examples.ts";
import { webhookEvents } from "../events.ts";
import { header } from "../operation.ts";
import { refer } from "../schema.ts";

/** The headers by which an endpoint verifies an event, as Standard Webhooks have them. */
const parameters = [
  header("webhook-id", "The event's ID: the same whenever it is sent again.", {
    required: true,
    example: "evt_Jx2PWq7d1mXh0b9yV3sK4A",
  }),
  header("webhook-timestamp", "When it was sent, in seconds since 1970.", {
    required: true,
    example: "1750611724",
  }),
  header(
    "webhook-signature",
    "`v1,` and base64 of the HMAC with SHA-256 of ID, timestamp and body, with full stops between; several with spaces between.",
    { required: true, example: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" },
  ),
];

/**
 * The requests that a vendor's endpoint gets, by type of event.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html#oas-webhooks
 */
export function documentedWebhooks() {
  return Object.fromEntries(
    webhookEvents.map(({ name, schema, type, description }) => [
      type,
      {
        post: {
          operationId: `receive${name}`,
          summary: `Event ${type}`,
          description,
          tags: ["webhooks"],
          // An endpoint verifies the signature: we have no account there.
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: { "application/json": { schema: refer(schema), example: eventExample(type) } },
          },
          responses: {
            "2XX": { description: "Taken." },
            410: { description: "The endpoint is gone: nothing is sent to it any more." },
            "4XX": { description: "Not taken. The event is posted again later." },
          },
        },
      },
    ]),
  );
}
