import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { SQSClient } from "@aws-sdk/client-sqs";
import type { Item } from "../../core/aws/batch.ts";
import { deadLetterQueue } from "../../core/aws/dead-letter-queue.ts";
import { lateWorkIn, lateWorkTable } from "../../core/aws/late-work-table.ts";
import { packJson, unpackJson } from "../../core/aws/packed-json.ts";
import { scanInSegments } from "../../core/aws/segmented-scan.ts";
import { dayMilliseconds } from "../../core/formats/days.ts";
import type { NamesPerson } from "../../core/formats/named-person.ts";
import type { WebhookAttempt } from "../../core/webhooks/attempt-table.ts";
import { expiryOf, type Finding, type HeldData, replaceValue } from "./held-data.ts";
import { type HashedNumber, heldAsDigestsInActivity, type NamedCards } from "./held-digests.ts";
import { textsOf } from "./json-texts.ts";

/** Work that waits to be done names the person. It stays: vendors are to get its events, and cards are found by its lists. */
function heldAsLateWork(erase: boolean, names: NamesPerson, work: unknown, item: Item): HeldData[] {
  const [what, finding] = ["text of a list or event", erase ? "kept" : "found"] as const;
  const texts = new Set(textsOf(work).filter(names));
  return [...texts].map((text) => ({ place: "work that waits", what, finding, text, ...expiryOf(item) }));
}

interface Example {
  readonly externalId?: string;
  readonly pointer?: string;
}

/**
 * Lists, names of tournaments, refused cards, events of feeds and posted ones, whose ExternalIDs or fields name the person, rounds that
 * were found in records, start lists, and work that waits. ExternalIDs of lists stay, because cards are found by them.
 *
 * @param hashed without it start lists are searched for labels only
 */
export async function heldInActivity(
  erase: boolean,
  names: NamesPerson,
  cards: NamedCards,
  hashed: HashedNumber | undefined,
  table: string,
  client: DynamoDBClient,
): Promise<HeldData[]> {
  const held: HeldData[] = [];
  const search = { erase, names, cards, hashed };
  const documents = new Map<string, Item>();
  await scanInSegments(client, table, async (items) => {
    held.push(...(await heldAsDigestsInActivity(search, items, table, client)));
    for (const item of items) {
      const late = lateWorkIn(item);
      if (late !== undefined && "work" in late) held.push(...heldAsLateWork(erase, names, late.work, item));
      else if (late !== undefined) documents.set(late.document, item);
      const listed = JSON.parse(item.externalIds?.S ?? "[]") as string[];
      for (const text of listed.filter(names)) {
        const what = "ExternalID of a card";
        held.push({
          place: "lists of cards",
          what,
          finding: erase ? "kept" : "found",
          text,
          ...expiryOf(item),
        });
      }
      const tournament = item.name?.S;
      if (tournament !== undefined && names(tournament)) {
        // The tournament's cards are found by a hash of its name, so its counts stay.
        if (erase) await replaceValue(client, table, item, "name", { S: "" });
        const [what, finding] = ["name of a tournament", erase ? "erased" : "found"] as const;
        held.push({ place: "tournaments", what, finding, text: tournament, ...expiryOf(item) });
      }
      if (item.faults?.B !== undefined) {
        const faults = unpackJson(item.faults.B) as unknown[];
        const others = faults.filter((fault) => !textsOf(fault).some(names));
        const isHeld = others.length < faults.length;
        if (erase && isHeld) await replaceValue(client, table, item, "faults", { B: packJson(others) });
        for (const fault of faults.filter((one) => !others.includes(one))) {
          const [what, finding] = ["fault of a card", erase ? "erased" : "found"] as const;
          held.push({
            place: "refused cards",
            what,
            finding,
            text: JSON.stringify(fault),
            ...expiryOf(item),
          });
        }
      }
      if (item.events?.B !== undefined) {
        const events = unpackJson(item.events.B) as unknown[];
        const isHeld = (event: unknown) => event !== null && textsOf(event).some(names);
        // Cursors count an item's events, so an erased one leaves its place.
        const others = events.map((event) => (isHeld(event) ? null : event));
        const found = events.filter(isHeld);
        if (erase && found.length > 0)
          await replaceValue(client, table, item, "events", { B: packJson(others) });
        for (const event of found) {
          const [what, finding] = ["an event", erase ? "erased" : "found"] as const;
          held.push({
            place: "feed of events",
            what,
            finding,
            text: JSON.stringify(event),
            ...expiryOf(item),
          });
        }
      }
      if (item.attempts?.B !== undefined) {
        const attempts = unpackJson(item.attempts.B) as readonly WebhookAttempt[];
        const isNamed = ({ body = "" }: WebhookAttempt) => textsOf(body).some(names);
        const [what, finding] = ["event that was posted", erase ? "erased" : "found"] as const;
        for (const { body: text = "" } of attempts.filter(isNamed)) {
          held.push({ place: "posts to webhook endpoints", what, finding, text, ...expiryOf(item) });
        }
        if (erase && attempts.some(isNamed)) {
          const left = attempts.map(({ body, ...attempt }) =>
            body === undefined || isNamed({ ...attempt, body }) ? attempt : { ...attempt, body },
          );
          await replaceValue(client, table, item, "attempts", { B: packJson(left) });
        }
      }
      for (const [name, { S: text }] of Object.entries(item)) {
        if (!name.startsWith("examples ") || text === undefined) continue;
        const examples = JSON.parse(text) as Example[];
        const others = examples.filter(
          ({ externalId = "", pointer = "" }) => !names(externalId) && !names(pointer),
        );
        if (others.length === examples.length) continue;
        if (erase) await replaceValue(client, table, item, name, { S: JSON.stringify(others) });
        for (const one of examples.filter((example) => !others.includes(example))) {
          const [what, finding] = ["example of a fault", erase ? "erased" : "found"] as const;
          held.push({ place: "refused cards", what, finding, text: JSON.stringify(one), ...expiryOf(item) });
        }
      }
    }
  });
  // A document has several items, which a scan reads in any order.
  const late = lateWorkTable<unknown>(table, client);
  for (const [id, item] of documents) held.push(...heldAsLateWork(erase, names, await late.read(id), item));
  return held;
}

/** Addresses of vendors' endpoints, which are the vendors' to change. */
export async function heldInEndpoints(
  erase: boolean,
  names: NamesPerson,
  table: string,
  client: DynamoDBClient,
): Promise<HeldData[]> {
  const held: HeldData[] = [];
  await scanInSegments(client, table, async (items) => {
    for (const { url } of items) {
      const text = decoded(url?.S ?? "");
      const what = "a vendor's address";
      if (names(text))
        held.push({ place: "webhook endpoints", what, finding: erase ? "kept" : "found", text });
    }
  });
  return held;
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** SQS removes messages then; the queues are created with it. */
const messageRetention = 14 * dayMilliseconds;

/**
 * Messages that name the person. Dead letters are removed; events that wait are left, because their vendors are to get them.
 *
 * @param place `dead letters` or `webhooks that wait`
 */
export async function heldInQueue(
  erase: boolean,
  names: NamesPerson,
  place: "dead letters" | "webhooks that wait",
  queueUrl: string,
  client: SQSClient,
): Promise<HeldData[]> {
  const queue = deadLetterQueue(client, queueUrl);
  const held: HeldData[] = [];
  const until = new Date(Date.now() + messageRetention).toISOString();
  const removes = erase && place === "dead letters";
  const finding: Finding = removes ? "erased" : erase ? "kept" : "found";
  await queue.each(async (letters) => {
    const found = letters.filter(({ body }) => textsOf(body).some(names));
    if (removes) await queue.remove(found);
    for (const { body } of found) held.push({ place, what: "a message", finding, text: body, until });
  });
  return held;
}
