import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import { scorecardWriter, storedCard } from "../../core/cards/scorecard-table.ts";
import { createPlayerCheck } from "../../core/players/check-delivered.ts";
import { hashKeyReader } from "../../core/players/hash-key-secret.ts";
import { playerRecall } from "../../core/players/known-player-table.ts";
import { unionAccounts } from "../../core/union/account-secrets.ts";
import { logInvocation } from "../runtime/log.ts";
import { measure } from "../runtime/metrics.ts";
import { playerAsker } from "../runtime/player-asker.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { itemSchema } from "../runtime/table-stream.ts";

const settings = z
  .object({
    SCORECARD_TABLE: z.string(),
    UNION_BASE_ADDRESS: z.url(),
    VENDOR_SECRET_PREFIX: z.string(),
    PLAYER_HASH_SECRET: z.string(),
  })
  .parse(process.env);

const now = () => new Date();
const dynamodb = sdkClient(DynamoDBClient);
const secrets = sdkClient(SecretsManagerClient);

const checkPlayers = createPlayerCheck({
  table: scorecardWriter(settings.SCORECARD_TABLE, dynamodb),
  recall: playerRecall(
    settings.SCORECARD_TABLE,
    dynamodb,
    hashKeyReader(secrets, settings.PLAYER_HASH_SECRET),
    now,
  ),
  askerOf: playerAsker(
    settings.UNION_BASE_ADDRESS,
    settings.VENDOR_SECRET_PREFIX,
    unionAccounts(secrets, now),
  ),
  now,
});

const eventSchema = z.object({
  Records: z.array(z.object({ dynamodb: z.object({ NewImage: itemSchema }) })),
});

/** Checks the players of the cards that a batch of the table's stream delivers. If it fails, the batch comes again. */
export const handler = async (event: unknown, context: Context) => {
  logInvocation(context);
  const cards = eventSchema
    .parse(event)
    .Records.flatMap(({ dynamodb }) => storedCard(dynamodb.NewImage) ?? []);
  const { unknown, unchecked } = await checkPlayers(cards, () => context.getRemainingTimeInMillis());
  if (unknown > 0) measure({ PlayersUnknown: unknown });
  if (unchecked > 0) measure({ PlayersUnchecked: unchecked });
};
