import type { SQSClient } from "@aws-sdk/client-sqs";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { type DeadLetter, deadLetterQueue } from "../../../core/aws/dead-letter-queue.ts";
import { erasedHash } from "../../../core/cards/life/card.ts";
import type { CardState } from "../../../core/cards/life/states.ts";
import { chooseDelivered, type RedriveChoice, redrive, resend } from "../../../core/cards/resend.ts";
import { hour } from "../../durations.ts";
import { green, red, start, storedCard } from "../memory/stored-card.ts";
import { about, echo, message, names, settings, status, wakeUp, world } from "./delivery-world.ts";

/** A world with dead letters. */
function redriving() {
  const made = world();
  const letters: DeadLetter[] = [];
  made.clock.now = start + 72 * hour;
  return {
    ...made,
    letters,
    letter: (body: string) =>
      letters.push({ messageId: `letter ${letters.length}`, receiptHandle: "", body }),
    redrive: (...vendors: readonly ApiSet[]) => redriveOf(vendors),
    redriveChosen: (choice: RedriveChoice) => redriveOf([green], choice),
  };
  function redriveOf(vendors: readonly ApiSet[], choice?: RedriveChoice) {
    return redrive(
      vendors,
      {
        table: made.cards.table,
        send: async (wakeUps) => void made.sent.push(...wakeUps),
        deadLetters: {
          each: (work) => work([...letters]),
          async remove(done) {
            for (const one of done) letters.splice(letters.indexOf(one), 1);
          },
        },
        now: () => new Date(made.clock.now),
        timing: settings.timing,
      },
      choice,
    );
  }
}

test("rejected cards are sent on if they are chosen, of some status and since some time only", async () => {
  const { cards, redriveChosen, states } = redriving();
  const rejected = (externalId: string, status: number, since: number) => {
    const failure = { phase: "after", status, message: "" } as const;
    return storedCard(externalId, { state: "rejected", since, failure });
  };
  cards.put(
    rejected("404", 404, start + hour),
    rejected("422", 422, start + hour),
    rejected("early", 404, start),
    givenUp("given up"),
  );
  expect(await redriveChosen({ state: "rejected", since: start + 1, status: 404 })).toMatchObject({
    sentOn: 1,
  });
  expect(states("404", "422", "early", "given up")).toEqual([
    "queued",
    "rejected",
    "rejected",
    "undelivered",
  ]);
  expect(await redriveChosen({ state: "rejected" })).toMatchObject({ sentOn: 2 });
});

const givenUp = (externalId: string, given: Parameters<typeof storedCard>[1] = {}) =>
  storedCard(externalId, { state: "undelivered", attempts: 700, since: start + 48 * hour, ...given });

test("a card of which a person was erased is not sent on with the others", async () => {
  const { cards, redrive } = redriving();
  cards.put(givenUp("417", { contentHash: erasedHash }), givenUp("418"));
  expect(await redrive(green)).toMatchObject({ sentOn: 1 });
  expect(cards.of("417")).toMatchObject({ state: "undelivered", version: 1 });
});

test("a card that was given up is queued again with two more days, and woken up at once", async () => {
  const { cards, sent, clock, redrive } = redriving();
  cards.put(givenUp("417"));
  expect(await redrive(green)).toEqual({ sentOn: 1, moved: 0, unreadable: 0 });
  expect(cards.of("417")).toMatchObject({
    state: "queued",
    version: 2,
    acceptedAt: clock.now,
    attempts: 0,
    mustWait: false,
    earlier: [{ version: 1, state: "undelivered", at: start + 48 * hour }],
  });
  expect(sent).toMatchObject([{ externalId: "417", version: 2, delaySeconds: 0 }]);
});

test("all cards that were given up are resent, however many there are, each once", async () => {
  const { cards, sent, redrive } = redriving();
  cards.put(...names(230).map((id) => givenUp(id)));
  expect(await redrive(green)).toMatchObject({ sentOn: 230 });
  expect(new Set(sent.map(({ externalId }) => externalId)).size).toBe(230);
  expect(await redrive(green)).toMatchObject({ sentOn: 0 });
});

test.each<CardState>(["queued", "delivered", "rejected", "withdrawn"])(
  "a card that was given up and is %s by the time it is read stays as it is",
  async (state) => {
    const { cards, sent, redrive } = redriving();
    cards.put(givenUp("417"));
    cards.hooks.beforeWrite = async () => cards.put(givenUp("417", { state, version: 2 }));
    expect(await redrive(green)).toMatchObject({ sentOn: 0 });
    expect(cards.of("417")).toMatchObject({ state, version: 2 });
    // A wake-up too many does no harm.
    expect(sent).toHaveLength(1);
  },
);

test("the given-up card of another vendor stays as it is", async () => {
  const { cards, redrive } = redriving();
  const other = givenUp("417", { apiSet: red });
  cards.put(givenUp("417"), other);
  expect(await redrive(green)).toMatchObject({ sentOn: 1 });
  expect(cards.of(other)?.state).toBe("undelivered");
});

test("a card that was given up stays so if the queue refuses its wake-up", async () => {
  const { cards } = redriving();
  cards.put(givenUp("417"));
  const refusing = redrive([green], {
    table: cards.table,
    send: () => Promise.reject(new Error("refused")),
    deadLetters: { each: async () => undefined, remove: async () => undefined },
    now: () => new Date(start + 72 * hour),
    timing: settings.timing,
  });
  await expect(refusing).rejects.toThrow("refused");
  expect(cards.of("417")).toMatchObject({ state: "undelivered", version: 1 });
});

test("a dead letter's cards are woken up again as maybe posted, whatever their state is", async () => {
  const { letters, letter, sent, redrive } = redriving();
  letter(about("417", "418").body);
  expect(await redrive(green)).toEqual({ sentOn: 0, moved: 1, unreadable: 0 });
  expect(sent).toMatchObject(
    ["417", "418"].map((externalId) => ({ externalId, apiSet: green, delaySeconds: 0, maybePosted: true })),
  );
  expect(letters).toEqual([]);
});

test("dead letters stay if the queue refuses their cards' wake-ups", async () => {
  const { cards } = redriving();
  const removed: unknown[] = [];
  const letter = { messageId: "letter", receiptHandle: "", body: about("417").body };
  const refusing = redrive([green], {
    table: cards.table,
    send: () => Promise.reject(new Error("refused")),
    deadLetters: { each: (work) => work([letter]), remove: async (done) => void removed.push(...done) },
    now: () => new Date(start + 72 * hour),
    timing: settings.timing,
  });
  await expect(refusing).rejects.toThrow("refused");
  expect(removed).toEqual([]);
});

test("a card that the index still lists as given up, though it was delivered since, is not resent", async () => {
  const { cards, sent } = redriving();
  cards.put(storedCard("417", { state: "delivered" }));
  const counts = await redrive([green], {
    table: { ...cards.table, inState: async () => ({ externalIds: ["417"] }) },
    send: async (wakeUps) => void sent.push(...wakeUps),
    deadLetters: { each: async () => undefined, remove: async () => undefined },
    now: () => new Date(start + 72 * hour),
    timing: settings.timing,
  });
  expect([counts.sentOn, sent]).toEqual([0, []]);
  expect(cards.of("417")).toMatchObject({ state: "delivered", version: 1 });
});

test("a dead letter of another vendor stays", async () => {
  const { letters, letter, sent, redrive } = redriving();
  letter(message([wakeUp("417", { apiSet: red })]).body);
  expect(await redrive(green)).toMatchObject({ moved: 0, unreadable: 0 });
  expect([letters.length, sent]).toEqual([1, []]);
});

test("a dead letter that cannot be read stays, and is counted", async () => {
  const { letters, letter, redrive } = redriving();
  letter("not a message");
  letter(about("417").body);
  expect(await redrive(green)).toMatchObject({ moved: 1, unreadable: 1 });
  expect(letters).toHaveLength(1);
});

test("a dead letter is found though one receive answers that there is none, and is visible again", async () => {
  const [letters, visible]: [unknown[], unknown[]] = [
    [{ MessageId: "1", ReceiptHandle: "handle", Body: "{}" }],
    [],
  ];
  let receives = 0;
  const send = async ({ input }: { input: { readonly Entries?: unknown[] } }) => {
    if (input.Entries) return void visible.push(...input.Entries);
    receives += 1;
    return { Messages: receives === 2 ? letters : [] };
  };
  const found: string[] = [];
  await deadLetterQueue({ send } as unknown as SQSClient, "queue").each(async (some) => {
    found.push(...some.map(({ messageId }) => messageId));
  });
  expect(found).toEqual(["1"]);
  expect(visible).toEqual([{ Id: "0", ReceiptHandle: "handle", VisibilityTimeout: 0 }]);
});

test("of delivered cards those are posted again that were delivered in a time, by whom it is asked, and with their players", async () => {
  const at = start + hour;
  const delivered = (id: string, given: object = {}) =>
    storedCard(id, { state: "delivered", since: at, atExchange: 1, ...given });
  const cards = [
    delivered("lost"),
    delivered("recorded", { record: { at, isRecorded: true } }),
    delivered("missing", { record: { at, isRecorded: false } }),
    delivered("before", { since: start - 1 }),
    delivered("after", { since: start + 2 * hour }),
    delivered("erased", { contentHash: erasedHash }),
    delivered("another vendor's", { apiSet: red }),
    storedCard("waiting"),
  ];
  const choice = { vendors: [green], from: start, to: start + 2 * hour, notRecorded: false };
  const namesOf = (found: readonly { readonly externalId: string }[]) => found.map((card) => card.externalId);
  expect(namesOf(chooseDelivered(cards, choice))).toEqual(["lost", "recorded", "missing"]);
  expect(namesOf(chooseDelivered(cards, { ...choice, notRecorded: true }))).toEqual(["missing"]);
});

test("a delivered card that is posted again keeps its ID, and is delivered if the exchange answers 409, since it has it after all", async () => {
  const made = world((ids) => (ids.includes("kept") ? status(409) : echo(ids)));
  made.clock.now = start + 72 * hour;
  const cards = ["kept", "lost"].map((id) =>
    storedCard(id, { state: "delivered", since: start, atExchange: 1, attempts: 1 }),
  );
  made.cards.put(...cards);
  const sent = await resend(cards, {
    table: made.cards.table,
    send: async (wakeUps) => void made.sent.push(...wakeUps),
    now: () => new Date(made.clock.now),
    timing: settings.timing,
  });
  expect(sent).toBe(2);
  await made.run([message(made.sent.splice(0))]);
  await made.run(made.sent.length > 0 ? [message(made.sent.splice(0))] : []);
  expect(made.states("kept", "lost")).toEqual(["delivered", "delivered"]);
  expect(made.cards.of("lost")).toMatchObject({ version: 2, earlier: [{ version: 1, state: "delivered" }] });
});
