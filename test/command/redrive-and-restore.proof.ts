import { GetQueueAttributesCommand, PurgeQueueCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ApiSet } from "../../core/accounts/account.ts";
import { scorecardTable } from "../../core/cards/delivery/scorecard-table.ts";
import { contentOf } from "../../core/cards/life/card-content.ts";
import { createTable, tables } from "../core/aws/engine.ts";
import { storedCard } from "../core/memory/stored-card.ts";
import { acceptLongAgo, tryLongAgo } from "../end-to-end/cards-of-long-ago.ts";
import { receivedCards, type Vendor } from "../end-to-end/pipeline.ts";
import { provideCommand } from "./run-command.ts";
import { storeAs } from "./stored-cards.ts";

const { pipeline, command, vendor, sqs, dynamodb, card } = await provideCommand();

const posts = (externalId: string, of = vendor) => receivedCards(pipeline, of, externalId);

describe("redrive", () => {
  const deadLetters = async () => {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl: pipeline.machine.run.outputs.DeadLetterQueueUrl,
        AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"],
      }),
    );
    return Object.values(Attributes ?? {}).reduce((sum, number) => sum + Number(number), 0);
  };

  /** Submits cards and waits until they are undelivered, as after a long outage of the exchange. */
  async function giveUp(of: Vendor, externalIds: readonly string[]): Promise<void> {
    const cards = externalIds.map((externalId) => card(externalId));
    await tryLongAgo(pipeline.machine.run, of.account.apiSet, cards);
    const undelivered = externalIds.map(() => "undelivered");
    await expect.poll(() => of.states(externalIds)).toEqual(undelivered);
  }

  /** Submits cards whose message is in the dead-letter queue. */
  async function putAside(of: Vendor, externalIds: readonly string[]): Promise<void> {
    const { run } = pipeline.machine;
    const cards = externalIds.map((externalId) => card(externalId));
    await acceptLongAgo(run, of.account.apiSet, cards, run.outputs.DeadLetterQueueUrl);
  }

  test("redrive queues undelivered cards of one vendor or all, but none that was corrected, and moves dead letters back", async () => {
    const other = pipeline.vendor(1);
    onTestFinished(() => void Object.assign(pipeline.standIn.faults, { outage: false }));
    pipeline.standIn.faults.outage = true;
    await giveUp(vendor, ["old-1", "old-2", "corrected"]);
    await giveUp(other, ["old-3"]);
    await putAside(vendor, ["stuck-1", "stuck-2"]);
    await putAside(other, ["stuck-3"]);
    expect(await deadLetters()).toBe(2);
    expect((await vendor.submit([card("corrected", { Comment: "as it was" })])).status).toBe(201);
    pipeline.standIn.faults.outage = false;

    const { apiSet } = vendor.account;
    const first = await command.run(["redrive", "--vendor", apiSet, "--json"]);
    expect(first).toMatchObject({ code: 0, json: [{ sentOn: 2, moved: 1, unreadable: 0 }] });
    const cards = ["old-1", "old-2", "corrected", "stuck-1", "stuck-2"];
    await expect.poll(() => vendor.states(cards)).toEqual(cards.map(() => "delivered"));
    expect(posts("corrected").map(({ Comment }) => Comment)).toEqual(["as it was"]);
    expect(await other.states(["old-3", "stuck-3"])).toEqual(["undelivered", "queued"]);

    // Their time is that of their contents: so a withdrawal by time finds them after they were sent on, too.
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    const before = ["--vendor", apiSet, "--from", "2020-01-01", "--to", yesterday, "--json"];
    const listed: { externalId: string }[] = (await command.run(["cards", ...before])).json[0];
    const names = listed.map(({ externalId }) => externalId);
    expect([names.includes("old-1"), names.includes("corrected")]).toEqual([true, false]);

    const second = await command.run(["redrive"]);
    expect([second.code, second.stdout]).toEqual([0, "1 card queued again; 1 dead letter moved back.\n"]);
    await expect.poll(() => other.states(["old-3", "stuck-3"])).toEqual(["delivered", "delivered"]);
    expect([posts("stuck-1").length, posts("stuck-3", other).length, await deadLetters()]).toEqual([1, 1, 0]);
    expect(await command.run(["redrive", "--json"])).toMatchObject({ json: [{ sentOn: 0, moved: 0 }] });
  });

  test("redrive reports a dead letter that it cannot read, and leaves it in the queue", async () => {
    const { DeadLetterQueueUrl: QueueUrl } = pipeline.machine.run.outputs;
    onTestFinished(async () => void (await sqs.send(new PurgeQueueCommand({ QueueUrl }))));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "not a wake-up" }));
    const { code, stdout } = await command.run(["redrive"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("1 dead letter cannot be read.")]);
    expect(await deadLetters()).toBe(1);
  });

  test("redrive sends on cards that an exchange which was wrong has rejected, by time and status", async () => {
    expect((await vendor.submit([card("wronged")])).status).toBe(201);
    await expect.poll(() => vendor.states(["wronged"])).toEqual(["delivered"]);
    const table = scorecardTable(pipeline.machine.run.outputs.ScorecardTableName ?? "", dynamodb);
    const { apiSet } = vendor.account;
    const failure = { phase: "after", status: 404, message: "Not Found" } as const;
    const written = await table.write([
      {
        apiSet: apiSet as ApiSet,
        externalId: "wronged",
        expects: { version: 1, states: ["delivered"] },
        set: { state: "rejected", since: Date.now(), failure },
      },
    ]);
    expect(written).toEqual(["written"]);

    const rejected = (...options: string[]) =>
      command.run(["redrive", "--vendor", apiSet, "--state", "rejected", "--json", ...options]);
    expect((await rejected("--code", "422")).json).toMatchObject([{ sentOn: 0 }]);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect((await rejected("--since", tomorrow)).json).toMatchObject([{ sentOn: 0 }]);
    expect((await rejected("--code", "404", "--since", `${tomorrow.slice(0, 4)}-01-01`)).json).toMatchObject([
      { sentOn: 1 },
    ]);
    await expect.poll(() => vendor.states(["wronged"])).toEqual(["delivered"]);
    const wronged = pipeline.standIn.received.filter(
      ({ card: one }) => (one as { ExternalID: string }).ExternalID === "wronged",
    );
    expect(wronged.length).toBeGreaterThan(1);
  });
});

describe("a restored table", () => {
  test("the cards of a restored table are taken over, those that the stage has are kept, and waiting ones are delivered", async () => {
    const { ScorecardTableName: own = "" } = pipeline.machine.run.outputs;
    const restored = "restored-cards";
    await createTable(dynamodb, { ...tables.scorecards, TableName: restored });
    const apiSet = vendor.account.apiSet as ApiSet;
    const acceptedAt = Date.now() - 60_000;
    for (const externalId of ["lost", "still-there"]) {
      const content = contentOf({ ...card(externalId), ID: crypto.randomUUID() });
      await storeAs(
        dynamodb,
        restored,
        storedCard(externalId, { apiSet, content, acceptedAt, since: acceptedAt }),
      );
    }
    await vendor.submit([card("still-there")]);
    await expect.poll(() => vendor.states(["still-there"])).toEqual(["delivered"]);

    const taken = await command.run(["backup", "take-over", "cards", restored, "--json"]);
    const counts = { copied: 1, added: 0, kept: 1, restoredBefore: 0, wokenUp: 1 };
    expect([taken.code, taken.json]).toEqual([0, [counts]]);
    await expect.poll(() => vendor.states(["lost", "still-there"])).toEqual(["delivered", "delivered"]);
    expect(posts("still-there")).toHaveLength(1);
    const again = await command.run(["backup", "take-over", "cards", restored]);
    expect(again.stdout).toBe(
      "0 items copied, 1 restored by an earlier run, 1 kept as the stage has them.\n0 cards to be delivered.\n",
    );
    // A second run does not bring back what the first has replaced: the card has been delivered since.
    const replace = ["backup", "take-over", "cards", restored, "--replace", "--json"];
    expect((await command.run(replace)).json).toMatchObject([{ copied: 1, restoredBefore: 1, wokenUp: 1 }]);
    await expect.poll(() => vendor.states(["lost", "still-there"])).toEqual(["delivered", "delivered"]);
    expect((await command.run(replace)).json).toMatchObject([{ copied: 0, restoredBefore: 2, wokenUp: 0 }]);
    expect([posts("lost"), posts("still-there")].map(({ length }) => length)).toEqual([1, 2]);
    const mistaken = await command.run(["backup", "take-over", "counts", restored]);
    expect([mistaken.code, mistaken.stderr]).toEqual([2, expect.stringContaining("has the key id, and")]);
    const itself = await command.run(["backup", "take-over", "cards", own]);
    expect([itself.code, itself.stderr]).toEqual([2, expect.stringContaining("the stage's own table")]);
  });

  test("a restored correction that was delivered and is to be posted once more is posted", async () => {
    const restored = "restored-correction";
    await createTable(dynamodb, { ...tables.scorecards, TableName: restored });
    const correction = {
      apiSet: vendor.account.apiSet as ApiSet,
      content: contentOf({ ...card("lost-correction"), ID: crypto.randomUUID() }),
      version: 2,
      state: "delivered",
      atExchange: 2,
      mustWait: true,
    } as const;
    await storeAs(dynamodb, restored, storedCard("lost-correction", correction));

    const taken = await command.run(["backup", "take-over", "cards", restored, "--json"]);
    expect(taken.json).toMatchObject([{ copied: 1, wokenUp: 1 }]);
    await expect.poll(() => posts("lost-correction")).toHaveLength(1);
  });
});
