import { randomBytes } from "node:crypto";
import { DeleteItemCommand, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { GetSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import type { UnionCourseVersion } from "@scorecard-pipeline/stand-in";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ApiSet } from "../../core/accounts/account.ts";
import { lateWorkTable } from "../../core/aws/late-work-table.ts";
import { packJson, unpackJson } from "../../core/aws/packed-json.ts";
import { restoredBy } from "../../core/aws/restored-item.ts";
import { contentOf } from "../../core/cards/life/card-content.ts";
import { keyedDigest } from "../../core/formats/keyed-digest.ts";
import { claimedCard } from "../../core/records/claimed-rows.ts";
import { createTable, tables } from "../core/aws/engine.ts";
import { storedCard } from "../core/memory/stored-card.ts";
import { receivedCards } from "../end-to-end/pipeline.ts";
import { provideCommand } from "./run-command.ts";
import { storeAs } from "./stored-cards.ts";

const { pipeline, command, vendor, sqs, dynamodb, secrets, card } = await provideCommand();

test("the delivered cards with a rating that the union has corrected since are listed by vendor, and nothing is sent", async () => {
  await vendor.submit([card("old-rating")]);
  await expect.poll(() => vendor.states(["old-rating"])).toEqual(["delivered"]);
  const { CourseID, TeeID } = card("old-rating").Course;
  const affected = (since: string) => command.run(["affected", CourseID, "--since", since, "--json"]);
  expect(await affected("2020-01-01")).toMatchObject({ code: 0, json: [[]] });
  const { standIn, machine } = pipeline;
  const version = standIn.courses.find(({ ID }) => ID === CourseID) as UnionCourseVersion;
  const publish = async (changed: UnionCourseVersion) => {
    standIn.publish(changed);
    await machine.run.invoke("mirror-courses", { pass: "changes" });
  };
  onTestFinished(() => publish(version));
  const rating = Number(version.Tees.find(({ ID }) => ID === TeeID)?.CourseRating);
  const correct = (tee: (typeof version.Tees)[number]) => ({ ...tee, CourseRating: rating + 1000 });
  await publish({ ...version, Tees: version.Tees.map((tee) => (tee.ID === TeeID ? correct(tee) : tee)) });
  const numbers = `TeeRating ${rating}, now ${rating + 1000}`;
  const { apiSet } = vendor.account;
  const { StartTime: startTime } = card("old-rating").Round;
  const listed = { vendor: apiSet, externalId: "old-rating", startTime, numbers };
  expect(await affected("2020-01-01")).toMatchObject({ code: 1, json: [[listed]] });
  expect(await affected("2999-01-01")).toMatchObject({ code: 0, json: [[]] });
  expect((await command.run(["affected", TeeID, "--since", "2020-01-01"])).code).toBe(2);
  expect(receivedCards(pipeline, vendor, "old-rating")).toHaveLength(1);
});

describe("a person's data", () => {
  const Player = { UnionID: "77-1234", FullName: "Erased Player" };
  const find = ["person", "find", "--union-id", "77-1234"];
  const erase = ["person", "erase", "--union-id", "77-1234"];

  test("a person is found on stored cards, and erased from those that nobody posts any more, with the outcome kept", async () => {
    const apiSet = vendor.account.apiSet as ApiSet;
    const content = contentOf({ ...card("long-delivered"), ID: "the-id", Player });
    const since = Date.now() - 86_400_000;
    const long = storedCard("long-delivered", { apiSet, state: "delivered", since, content });
    await storeAs(dynamodb, pipeline.machine.run.outputs.ScorecardTableName, long);
    await vendor.submit([card("just-delivered", { Player })]);
    await expect.poll(() => vendor.states(["just-delivered"])).toEqual(["delivered"]);

    const found = await command.run([...find, "--json"]);
    expect(found.code).toBe(0);
    expect(found.json[0].cards).toHaveLength(2);
    const erased = await command.run(erase);
    expect([erased.code, erased.stdout]).toEqual([1, expect.stringContaining("1 card may still be posted")]);
    expect(erased.stdout).not.toContain("Erased Player");
    const [left] = (await command.run([...find, "--json"])).json;
    expect(left.cards).toMatchObject([{ externalId: "just-delivered", role: "player" }]);
    expect(await vendor.status("long-delivered")).toMatchObject({ state: "delivered", id: "the-id" });
  });

  test("a person is found, exported and erased also outside cards' contents: lists, refused cards, hashes, dead letters, endpoints", async () => {
    const { outputs } = pipeline.machine.run;
    const { ActivityTableName, ScorecardTableName, WebhookTableName, PlayerHashSecretArn } = outputs;
    const restored = "restored-with-person";
    await createTable(dynamodb, { ...tables.scorecards, TableName: restored });
    const content = contentOf({ ID: "the-id", Comment: "Marked by 088-05." });
    const since = Date.now() - 86_400_000;
    const delivered = { apiSet: "green" as ApiSet, state: "delivered", since } as const;
    await storeAs(dynamodb, ScorecardTableName ?? "", storedCard("of-another", { ...delivered, content }));
    const secret =
      (await secrets.send(new GetSecretValueCommand({ SecretId: PlayerHashSecretArn }))).SecretString ?? "";
    const expiresAt = { N: String(Math.ceil(Date.now() / 1000) + 86_400) };
    const put = (TableName: string | undefined, Item: PutItemCommand["input"]["Item"]) =>
      dynamodb.send(new PutItemCommand({ TableName, Item }));
    const remembered = { S: keyedDigest(secret, "knownPlayer", "0088-5") };
    await put(ScorecardTableName, { id: remembered, rounds: { S: "[]" }, expiresAt });
    type Attributes = NonNullable<PutItemCommand["input"]["Item"]>;
    const keep = async (apiSet: string, at: string, attributes: Attributes) => {
      const Key = { apiSet: { S: apiSet }, at: { S: at } };
      await put(ActivityTableName, { ...Key, ...attributes, expiresAt });
      const read = async (): Promise<Attributes | undefined> =>
        (await dynamodb.send(new GetItemCommand({ TableName: ActivityTableName, Key }))).Item;
      return read;
    };
    const packed = (...entries: unknown[]) => ({ B: packJson(entries) });
    const json = (value: unknown) => ({ S: JSON.stringify(value) });
    const other = { externalId: "88-55-1", pointer: "/HCP", at: "2026-01-01T00:10:00.000Z" };
    const examples = json([{ ...other, externalId: "88-5-1" }, other]);
    const refused = { "examples required": examples, "cards required": { N: "2" } };
    const readRefused = await keep("green", "refused#2026-01-01T00:00Z", refused);
    const otherFault = { ...other, index: 1, code: "required", detail: "Send HCP." };
    const faults = packed({ ...otherFault, index: 0, received: "088-5" }, otherFault);
    const readLog = await keep("green#refused#card-1", "2026-01-01T00:10:00.000Z#request#000", { faults });
    const eventOf = (...externalIds: string[]) => ({
      type: "scorecard.delivered",
      data: { cards: externalIds.map((externalId) => ({ externalId })) },
    });
    const events = packed(eventOf("nobody", "88-5-1"), eventOf());
    const readFeed = await keep("green#feed", "0029458080000001", { events });
    const attempt = { at: 1, milliseconds: 5, eventId: "evt_1", status: 204 };
    const otherAttempt = { ...attempt, body: '{"externalId":"other"}' };
    const attempts = packed({ ...attempt, body: '{"message":"No player 088-5."}' }, otherAttempt);
    const readRun = await keep("green#attempts#wh_1", "2026-01-01T00:10:00.000Z#evt_1", { attempts });
    await keep("green", "cards#2026-01-01#0", { externalIds: json(["88-5-22062025-Yellow", "other"]) });
    const tournament = { name: { S: "Cup of 088-5" }, "1 waiting": { N: "1" } };
    const readTournament = await keep("green#tournaments", "tournament#2026-01-01#~a#0", tournament);
    const url = { S: "https://example.com/?of=88%2D5" };
    const endpoint = { apiSet: { S: "green" }, id: { S: "e" }, url, headers: json({ "X-Of": "88-5" }) };
    await put(WebhookTableName, endpoint);
    const outage = { since: 0, failure: { phase: "after", message: "No player 088-5." }, nextProbeAt: 0 };
    // A restored breaker makes no event.
    const breaker = { id: { S: "closed-vendor" }, version: { N: "1" }, [restoredBy]: { S: "r" } };
    await put(ScorecardTableName, { ...breaker, open: json(outage) });
    const QueueUrl = outputs.DeadWebhookQueueUrl;
    const joined = [{ body: '{"externalId":"088-5"}' }, { body: '{"externalId":"other"}' }];
    const MessageBody = JSON.stringify({ apiSet: "green", endpointId: "e", events: joined });
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: "e" }));

    // A card of the person's, with the round that was found in the record.
    const round = { Player: { UnionID: "88-5" }, Round: { StartTime: "20260101T090000" } };
    const own = storedCard("own", { ...delivered, content: contentOf({ ID: "own-id", ...round }) });
    await storeAs(dynamodb, ScorecardTableName ?? "", own);
    const claim = (at: string, externalId: string) => {
      const card = claimedCard({ apiSet: "green" as ApiSet, externalId });
      return keep("records:claims", at, { claims: json([{ card, row: "[null,90,36,120000]" }]) });
    };
    const readOwnClaim = await claim("hash-of-own", "own");
    const readOtherClaim = await claim("hash-of-other", "somebody-else's");
    // Lists and events that could not be written yet: in a list of a shard, and in a document of several items.
    const late = lateWorkTable<unknown>(ActivityTableName ?? "", dynamodb);
    const waiting = { apiSet: "green", step: "list", items: [{ externalIds: ["88-5-late", "other"] }] };
    await late.save("shard-1", [waiting], Date.now());
    const random = Array.from({ length: 300 }, () => randomBytes(1_000).toString("base64"));
    await late.put([...random, "088-5 in a document", ...random]);

    const of = (task: string) => ["person", task, "--union-id", "88-5", "--json"];
    const found = (await command.run(of("find"))).json[0];
    const places = [
      "breakers words of the exchange",
      "dead letters a message",
      "feed of events an event",
      "found rounds keyed hash of player and StartTime",
      "lists of cards ExternalID of a card",
      "posts to webhook endpoints event that was posted",
      "refused cards example of a fault",
      "refused cards fault of a card",
      "remembered players and rounds keyed hash of the UnionID, with the union's judgement and rounds",
      "tournaments name of a tournament",
      "webhook endpoints headers",
      "webhook endpoints url",
      "work that waits text of a list or event",
      "work that waits text of a list or event",
    ];
    const namesOf = (others: { place: string; what: string }[]) =>
      others.map(({ place, what }) => `${place} ${what}`).sort();
    expect(namesOf(found.others)).toEqual(places);
    const byExternalId = (cards: { externalId: string }[]) =>
      cards.toSorted((one, other) => one.externalId.localeCompare(other.externalId));
    expect(byExternalId(found.cards)).toMatchObject([
      { externalId: "of-another", role: "mentioned", at: ["/Comment"] },
      { externalId: "own", role: "player" },
    ]);
    const exported = (await command.run(of("export"))).json[0];
    expect(namesOf(exported.others)).toEqual(places);
    expect(byExternalId(exported.cards)).toMatchObject([
      { externalId: "of-another", namedIn: ["/Comment"] },
      { externalId: "own", card: { Player: { UnionID: "88-5" } } },
    ]);
    type Other = { readonly place: string; readonly text: string };
    const textsIn = (place: string): string[] =>
      exported.others.flatMap((one: Other) => (one.place === place ? one.text : []));
    expect(textsIn("work that waits").sort()).toEqual(["088-5 in a document", "88-5-late"]);
    expect(textsIn("found rounds")).toEqual([expect.stringContaining("own")]);
    expect(exported.others.every(({ text }: { text: string }) => text.length > 0)).toBe(true);
    // Of an event of two cards the export has one, and says so.
    const [event] = exported.others.filter(({ place }: { place: string }) => place === "feed of events");
    expect([JSON.parse(event.text).data.cards, event.leftOut]).toEqual([[{ externalId: "88-5-1" }], 1]);

    const erasing = await command.run(of("erase"));
    expect(erasing.code).toBe(1);
    const { others: report }: { others: { finding: string; place: string; what: string }[] } =
      erasing.json[0];
    const byFinding = Object.groupBy(report, ({ finding }) => finding);
    const left = (await command.run(of("find"))).json[0];
    // What stays are a vendor's address, a card's name in a list, by which the card is found, and what vendors are still to get.
    const kept = [places[4], ...places.slice(10)];
    expect([namesOf(byFinding.kept ?? []), byFinding.erased?.length]).toEqual([kept, 9]);
    expect(namesOf(left.others)).toEqual(kept);
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0 }));
    expect(Messages.map(({ Body = "" }) => JSON.parse(Body).events)).toEqual([joined.slice(1)]);
    const ofOther = (await readOtherClaim())?.claims?.S;
    expect([await readOwnClaim(), ofOther]).toEqual([undefined, expect.stringContaining("somebody-else")]);
    // A run that ended in the middle may have erased the card only.
    await claim("hash-of-own", "own");
    expect((await command.run(of("erase"))).code).toBe(1);
    expect(await readOwnClaim()).toBeUndefined();
    expect([left.cards, left.notReached.length > 0]).toEqual([[], true]);
    // Restored data bring nobody back, although their operator no longer knows whom; a round that was played since stays.
    await storeAs(dynamodb, restored, { ...own, externalId: "came-back" });
    await storeAs(dynamodb, restored, { ...own, externalId: "played-since", acceptedAt: Date.now() });
    const taken = await command.run(["backup", "take-over", "cards", restored, "--json"]);
    expect(taken.json).toMatchObject([{ copied: 2, erased: 1 }]);
    const { cards } = (await command.run(["person", "find", "--union-id", "88-5", "--json"])).json[0];
    expect(cards).toMatchObject([{ externalId: "played-since" }]);
    expect((await readRefused())?.["examples required"]).toEqual(json([other]));
    expect(await readTournament()).toMatchObject({ ...tournament, name: { S: "" } });
    const unpacked = (item: Attributes | undefined, name: string) =>
      unpackJson(item?.[name]?.B ?? new Uint8Array());
    expect(unpacked(await readLog(), "faults")).toEqual([otherFault]);
    // An erased event leaves its place, since cursors count events.
    expect(unpacked(await readFeed(), "events")).toEqual([null, eventOf()]);
    expect(unpacked(await readRun(), "attempts")).toEqual([attempt, otherAttempt]);
  });

  test("an erasure that has not looked everywhere says so, and ends with another exit code", async () => {
    const erased = await command.run(["person", "erase", "--name", "Nobody Anywhere"]);
    expect(erased.code).toBe(1);
    expect(erased.stdout).toContain("The erasure is not complete");
    expect(erased.stdout).toContain("remembered players and rounds: give --union-id");
    const found = await command.run(["person", "find", "--name", "Nobody Anywhere"]);
    expect([found.code, found.stdout]).toEqual([0, expect.not.stringContaining("not complete")]);
    // An event for an endpoint that fails is delayed, and no receive returns it.
    const QueueUrl = pipeline.machine.run.outputs.WebhookQueueUrl;
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "{}", DelaySeconds: 900 }));
    const incomplete = await command.run(["person", "erase", "--union-id", "99-1"]);
    const hidden = "Not looked through: webhooks that wait: messages that are delayed or in flight (1)";
    expect([incomplete.code, incomplete.stdout]).toEqual([1, expect.stringContaining(hidden)]);
  });

  test("an erasure that fails reports what it has erased until then, because another run no longer finds it", async () => {
    const { ActivityTableName, ScorecardTableName } = pipeline.machine.run.outputs;
    const content = contentOf({ ID: "the-id", Player: { UnionID: "55-1" } });
    const since = Date.now() - 86_400_000;
    const stored = storedCard("erased", { apiSet: "green" as ApiSet, state: "delivered", since, content });
    await storeAs(dynamodb, ScorecardTableName, stored);
    const Key = { apiSet: { S: "unreadable" }, at: { S: "refused#2026-01-01T00:00Z" } };
    const Item = { ...Key, "examples required": { S: "unreadable" } };
    await dynamodb.send(new PutItemCommand({ TableName: ActivityTableName, Item }));
    const { code, stdout, stderr } = await command.run(["person", "erase", "--union-id", "55-1"]);
    await dynamodb.send(new DeleteItemCommand({ TableName: ActivityTableName, Key }));
    expect([code, stderr]).toEqual([2, expect.stringContaining("error: ")]);
    expect(stdout).toMatch(/green .* erased .* erased /);
    expect(stdout).toContain("Unfinished: an error ended the erasure.");
    const [left] = (await command.run(["person", "find", "--union-id", "55-1", "--json"])).json;
    expect(left).toMatchObject({ isFinished: true, cards: [] });
  });

  test("a person that is not named by a valid number is refused", async () => {
    const { code, stderr } = await command.run(["person", "find", "--union-id", "somebody"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("The UnionID is invalid")]);
    expect((await command.run(["person", "erase"])).stderr).toContain("The person is missing");
  });
});
