import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { Item } from "../../core/aws/batch.ts";
import { secretReader } from "../../core/aws/secret-reader.ts";
import { scanInSegments } from "../../core/aws/segmented-scan.ts";
import { scorecardWriter, storedCard } from "../../core/cards/delivery/scorecard-table.ts";
import type { StoredCard } from "../../core/cards/life/card.ts";
import {
  digestContent,
  erasure,
  hasErasable,
  isErasable,
  isPlayerErased,
  type PersonOnCard,
  personOn,
} from "../../core/cards/person-data.ts";
import { mapSettled } from "../../core/formats/chunks.ts";
import type { NamesPerson } from "../../core/formats/named-person.ts";
import { claimedCard } from "../../core/records/claimed-rows.ts";
import type { Target } from "../base/target.ts";
import { expiryOf, type FoundData, type PersonSearch, searchItem, type TableSearch } from "./held-data.ts";
import { searchActivity, searchOtherThanCard, searchQueue, searchVendorTable } from "./other-places.ts";

/** The secret of the digests of a target's persons. */
export const readDigestSecret = ({ outputs, client }: Target): Promise<string> =>
  secretReader(new SecretsManagerClient(client("secretsManager")), outputs.PlayerHashSecretArn)();

/** What is searched of a card by its fields; its key is told with the card. */
const searchedOfCard: ReadonlySet<string> = new Set([
  ...["content", "failure", "posts", "failed", "laterWarnings", "formerRound"],
  ...["id", "vendorState", "stateSince"],
]);

/** Looks through a table of cards. @param namesOn the search for a card, if cards are searched for different persons */
export async function searchCards(
  search: PersonSearch,
  table: string,
  signal: AbortSignal,
  namesOn: (card: StoredCard) => NamesPerson = () => search.names,
): Promise<void> {
  await scanInSegments(search.client, table, async (items) => {
    signal.throwIfAborted();
    for (const item of items) {
      const card = storedCard(item);
      if (card === undefined) await searchOtherThanCard({ ...search, table }, item);
      else await searchCard({ ...search, table, names: namesOn(card) }, card, item);
      if (card !== undefined) search.scanned += 1;
    }
  });
}

async function searchCard(search: TableSearch, card: StoredCard, item: Item): Promise<void> {
  const person = personOn(card, search.names);
  const isOwn = person?.role === "player";
  // If a run ended after it had erased cards, the next finds their rounds all the same: nobody needs one of an erased player.
  if (isOwn || (search.erase && isPlayerErased(card))) search.claims.add(claimedCard(card));
  // Of the person's own card nothing stays.
  const resembles = isOwn ? undefined : search.resembles;
  const isSearched = (name: string) => searchedOfCard.has(name);
  await searchItem({ ...search, resembles }, item, "table of cards", {}, isSearched);
  if (person === undefined) return;
  const finding = search.erase ? await eraseFrom(card, person, search) : "found";
  search.cards.push({ card, person, finding, ...expiryOf(item) });
}

async function eraseFrom(
  card: StoredCard,
  person: PersonOnCard,
  { names, secret, client, table }: TableSearch,
): Promise<FoundData> {
  if (!hasErasable(person)) return "kept";
  if (!isErasable(card, Date.now())) return "to be delivered";
  const digest = digestContent(secret, card, card.contentHash);
  const [result] = await scorecardWriter(table, client).write([erasure(card, person, names, digest)]);
  return result === "written" ? "erased" : "changed meanwhile";
}

/** Looks through what is not the content of a card. */
export async function searchElsewhere(search: PersonSearch, { outputs, client }: Target): Promise<void> {
  const sqs = new SQSClient(client("sqs"));
  const { ActivityTableName, AccountTableName, DeadLetterQueueUrl } = outputs;
  const { WebhookTableName, WebhookQueueUrl, DeadWebhookQueueUrl } = outputs;
  const queues = [
    () => searchQueue(search, "webhooks that wait", WebhookQueueUrl, sqs),
    () => searchQueue(search, "dead letters", DeadLetterQueueUrl, sqs),
    () => searchQueue(search, "dead letters", DeadWebhookQueueUrl, sqs),
  ];
  const tables = [
    () => searchActivity({ ...search, table: ActivityTableName }),
    () => searchVendorTable({ ...search, table: AccountTableName }, "accounts"),
    () => searchVendorTable({ ...search, table: WebhookTableName }, "webhook endpoints"),
  ];
  // The queues first: an event that is in flight is stored in the table of activity when it has been posted.
  for (const places of [queues, tables]) await mapSettled(places, places.length, (look) => look());
}
