import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod/mini";
import { isRestore } from "../../core/aws/restored-item.ts";
import { secretReader } from "../../core/aws/secret-reader.ts";
import { scorecardReader, scorecardWriter } from "../../core/cards/delivery/scorecard-table.ts";
import { createPlayerCheck } from "../../core/players/check-delivered.ts";
import { roundComparison } from "../../core/players/compare-rounds.ts";
import { playerRecall } from "../../core/players/known-player-table.ts";
import { teeGenderReader } from "../../core/players/tee-gender.ts";
import { courseFinder } from "../../core/register/course-table.ts";
import { unionAccounts } from "../../core/union/account-secrets.ts";
import { consumer } from "../runtime/consumer.ts";
import { logInvocation } from "../runtime/log.ts";
import { gatherFigures } from "../runtime/metrics.ts";
import { playerAsker } from "../runtime/player-asker.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { createCardReader, streamItem } from "../runtime/table-stream.ts";

const settings = readSettings({
  SCORECARD_TABLE: z.string(),
  COURSE_TABLE: z.string(),
  ROUND_CHECK: z.enum(["off", "warn"]),
  SCORES_FOR_HANDICAP: z.coerce.number(),
  UNION_BASE_ADDRESS: z.url(),
  VENDOR_SECRET_PREFIX: z.string(),
  PLAYER_HASH_SECRET: z.string(),
});

const now = () => new Date();
const dynamodb = sdkClient(DynamoDBClient);
const secrets = sdkClient(SecretsManagerClient);

const hashKey = secretReader(secrets, settings.PLAYER_HASH_SECRET);
const cards = scorecardReader(settings.SCORECARD_TABLE, dynamodb);
const figures = gatherFigures();

const checkPlayers = createPlayerCheck({
  table: scorecardWriter(settings.SCORECARD_TABLE, dynamodb),
  recall: playerRecall(settings.SCORECARD_TABLE, dynamodb, hashKey, now),
  scoresForHandicap: settings.SCORES_FOR_HANDICAP,
  teeGender: teeGenderReader(courseFinder(settings.COURSE_TABLE, dynamodb)),
  compareRounds: settings.ROUND_CHECK === "off" ? undefined : roundComparison(cards),
  askerOf: playerAsker(
    settings.UNION_BASE_ADDRESS,
    settings.VENDOR_SECRET_PREFIX,
    unionAccounts(secrets, now),
  ),
  now,
});

const eventSchema = z.object({
  Records: z.array(
    z.object({ dynamodb: z.object({ NewImage: streamItem, OldImage: z.optional(streamItem) }) }),
  ),
});

/** Checks the players of the cards that a batch of the table's stream delivers. If it fails, the batch comes again. */
export const handler = consumer({
  logInvocation,
  event: eventSchema,
  figures,
  run: async ({ Records }, remainingMilliseconds) => {
    const storedCard = createCardReader();
    // The player of a card that was restored from a backup was checked after its delivery.
    const cards = Records.flatMap(({ dynamodb: { NewImage, OldImage } }) =>
      isRestore(NewImage, OldImage) ? [] : (storedCard(NewImage) ?? []),
    );
    const { unknown, unchecked } = await checkPlayers(cards, remainingMilliseconds);
    if (unknown > 0) figures.add({ PlayersUnknown: unknown });
    if (unchecked > 0) figures.add({ PlayersUnchecked: unchecked });
  },
});
