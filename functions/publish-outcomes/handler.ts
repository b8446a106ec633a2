import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import type { Item } from "../../core/dynamodb/batch.ts";
import { storedCard } from "../../core/dynamodb/scorecards.ts";
import { outcomeOf } from "../../core/outcomes/outcome-event.ts";
import { publishOutcomes } from "../../core/outcomes/publish.ts";
import { log, logInvocation } from "../runtime/log.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { variables } from "../runtime/variables.ts";

const settings = variables("EVENT_BUS");
const eventBridge = sdkClient(EventBridgeClient);

/** An attribute; streams have binary values as base64. */
const attributeSchema = z.pipe(
  z.looseObject({ B: z.optional(z.base64()) }),
  z.transform(
    (value) => (value.B === undefined ? value : { B: Buffer.from(value.B, "base64") }) as Item[string],
  ),
);
const itemSchema = z.record(z.string(), attributeSchema);

const eventSchema = z.object({
  Records: z.array(
    z.object({
      dynamodb: z.object({
        SequenceNumber: z.string(),
        NewImage: itemSchema,
        OldImage: z.optional(itemSchema),
      }),
    }),
  ),
});

/**
 * Publishes the outcomes in a batch of the table's stream. Returns the first record that was refused, and the batch is retried
 * from there: an outcome may be published twice, but none is lost.
 */
export const handler = async (event: unknown, context: Context) => {
  logInvocation(context);
  const outcomes = eventSchema.parse(event).Records.flatMap(({ dynamodb }) => {
    const { NewImage, OldImage, SequenceNumber } = dynamodb;
    const card = storedCard(NewImage);
    const outcome = card && outcomeOf(card, OldImage && storedCard(OldImage));
    return outcome === undefined ? [] : [{ event: outcome, sequenceNumber: SequenceNumber }];
  });
  const refused = await publishOutcomes(eventBridge, settings.EVENT_BUS, outcomes);
  const [first] = refused;
  if (first === undefined) return { batchItemFailures: [] };
  log({ message: "outcomes were not published", outcomes: refused.length });
  return { batchItemFailures: [{ itemIdentifier: first.sequenceNumber }] };
};
