import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../../core/accounts/account.ts";
import type { Item } from "../../core/aws/batch.ts";
import { scanInSegments } from "../../core/aws/segmented-scan.ts";
import { cardAttributes, storedCard } from "../../core/cards/delivery/scorecard-table.ts";
import type { StoredCard } from "../../core/cards/life/card.ts";
import { listPrices } from "../../lib/aws-facts.ts";
import { describeTable } from "./restored-table.ts";
import { counted } from "./terminal.ts";

/** The table of cards, and where it is said what a look at it costs. */
export interface ScannedTable {
  readonly dynamodb: DynamoDBClient;
  readonly table: string;
  readonly note: (line: string) => void;
}

/** Which cards are sent here. DynamoDB reads every card of the table all the same. */
export interface ScanFilter {
  /** If left out, those of all that meet the condition. */
  readonly vendors?: readonly ApiSet[];
  /** A condition on attributes, each with # before its name. */
  readonly condition?: string;
  readonly values?: Item;
  /** Whether contents are left out, which are most of a card. */
  readonly withoutContent?: true;
}

/** More conditions than this are not sent: the reader leaves other vendors out itself. */
const maxVendors = 50;
/** Of a consistent read. */
const bytesOfReadUnit = 4096;
/** Eight segments with a page of a megabyte each in a sixth of a second; not measured on AWS. */
const bytesPerSecond = 50e6;

/** Reads the cards that pass a filter, several segments of the table at a time, and says first what that costs. */
export async function scanCards(
  { dynamodb, table, note }: ScannedTable,
  { vendors = [], condition, values, withoutContent }: ScanFilter,
  work: (cards: readonly StoredCard[]) => Promise<void>,
): Promise<void> {
  const { ItemCount = 0, TableSizeBytes = 0 } = await describeTable(dynamodb, table);
  const units = Math.ceil(TableSizeBytes / bytesOfReadUnit);
  note(
    `Reads the whole table (${counted(ItemCount, "item")}, ${Math.ceil(TableSizeBytes / 1e6)} MB): ${units} read units, ${(units * listPrices.readUnit).toFixed(2)} USD, about ${Math.ceil(TableSizeBytes / bytesPerSecond)} s. Only what is looked for is sent here.`,
  );
  const ofVendors = vendors.slice(0, maxVendors).map((_, place) => `begins_with(#id, :vendor${place})`);
  const FilterExpression = [vendors.length > maxVendors ? "" : ofVendors.join(" OR "), condition ?? ""]
    .filter(Boolean)
    .map((one) => `(${one})`)
    .join(" AND ");
  const attributes = ["id", ...cardAttributes.filter((name) => !/content$|Contents$/.test(name))];
  const ProjectionExpression = withoutContent && attributes.map((name) => `#${name}`).join(", ");
  const names = `${FilterExpression} ${ProjectionExpression}`.matchAll(/#(\w+)/g);
  const ofVendor = vendors.map((apiSet, place) => [`:vendor${place}`, { S: `${apiSet}#` }] as const);
  await scanInSegments(dynamodb, table, (items) => work(items.flatMap((item) => storedCard(item) ?? [])), {
    FilterExpression,
    ...(ProjectionExpression && { ProjectionExpression }),
    ExpressionAttributeNames: Object.fromEntries(
      Array.from(names, ([name, attribute = ""]) => [name, attribute]),
    ),
    ExpressionAttributeValues: {
      ...(vendors.length > maxVendors ? {} : Object.fromEntries(ofVendor)),
      ...values,
    },
  });
}
