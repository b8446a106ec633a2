import { Duration, Validations } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Key } from "aws-cdk-lib/aws-kms";
import { FilterCriteria, FilterRule } from "aws-cdk-lib/aws-lambda";
import type { CfnSecret, Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { cardStates, State } from "../core/cards/life/states.ts";
import { addAlarm } from "./monitoring.ts";
import { bind, pipelineFunction } from "./pipeline-function.ts";
import type { StageSettings } from "./stage-settings.ts";
import { cardActions, followTable, generated, removalPolicy, unrotatedSecret } from "./stored-data.ts";
import { grantVendorSecrets, vendorSecretPrefix } from "./vendor-accounts.ts";

/** The secret of the hashes under which players are remembered. A stage without the check keeps it, so that none is forgotten meanwhile. */
export function playerHashSecret(scope: Construct, { keepData }: StageSettings, key: Key): Secret {
  const why = "It opens nothing, and every rotation would have all players asked for again.";
  const secret = unrotatedSecret(scope, "PlayerHashSecret", why, {
    description: "Secret of the hash under which known players are remembered; another one forgets them all",
    encryptionKey: key,
    removalPolicy: removalPolicy(keepData),
    ...generated,
  });
  // Keep this ID, which is from when the check was part of the delivery: with a new secret all remembered players would be
  // lost.
  (secret.node.defaultChild as CfnSecret).overrideLogicalId("DeliveryPlayerHashSecret994244E2");
  return secret;
}

/** A check that is later than this warns nobody in time. */
const maxAge = Duration.hours(6);

/** Options of {@link PlayerCheck}. */
export interface PlayerCheckProps {
  readonly settings: StageSettings;
  readonly unionBaseAddress: string;
  readonly scorecards: Table;
  /** The mirrored courses, which have the tees' genders. */
  readonly courses: Table;
  readonly hashSecret: Secret;
}

/**
 * Asks the union for the players of delivered cards.
 *
 * The function reads the table's stream, so that no delivery waits for it, and many cards share a request for the known players.
 */
export class PlayerCheck extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { settings, unionBaseAddress, scorecards, courses, hashSecret }: PlayerCheckProps,
  ) {
    super(scope, id);
    const { stage } = settings;
    const check = pipelineFunction(this, "check-players", settings, {
      description: "Asks the union for the players of delivered scorecards",
      // Time for a full batch of unknown players, if the union takes two seconds for each.
      timeout: Duration.minutes(1),
      memorySize: 512,
      // A shard has runs of its own, and there may be twenty shards: the union must not get twenty times as many questions at once.
      // Batches of the others wait for their turn.
      reservedConcurrentExecutions: 1,
      environment: {
        ROUND_CHECK: settings.playerCheck === "rounds" ? "warn" : "off",
        SCORES_FOR_HANDICAP: String(settings.union.rules.scoresForHandicap),
        UNION_BASE_ADDRESS: unionBaseAddress,
        VENDOR_SECRET_PREFIX: vendorSecretPrefix(stage),
      },
    });
    bind(check, "SCORECARD_TABLE", scorecards, cardActions);
    bind(check, "COURSE_TABLE", courses, ["GetItem"], "byCourse");
    bind(check, "PLAYER_HASH_SECRET", hashSecret, ["GetSecretValue"]);
    grantVendorSecrets(check, stage);
    const source = followTable(this, "DeliveredSource", check, scorecards, {
      batchSize: 100,
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual("MODIFY"),
          dynamodb: {
            NewImage: { state: { S: FilterRule.isEqual(State.delivered) } },
            // A card that was delivered before has only been warned about, or posted once more.
            OldImage: {
              state: { S: FilterRule.or(...cardStates.filter((state) => state !== State.delivered)) },
            },
          },
        }),
      ],
      maxRecordAge: maxAge,
    });
    Validations.of(source).acknowledge({
      id: "Serverless-LambdaEventSourceMappingDestination",
      reason: "A card that is not checked is delivered all the same, and an alarm reports runs that fail.",
    });
    addAlarm(this, "PlayerCheckLateAlarm", settings, {
      section: "checks-are-late",
      says: "Players of cards that were delivered hours ago are not checked yet.",
      metric: check.metric("IteratorAge", { period: Duration.hours(1), statistic: "Maximum" }),
      threshold: maxAge.toMilliseconds() / 2,
    });
  }
}
