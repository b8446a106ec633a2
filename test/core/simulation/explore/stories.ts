import type { ApiSet } from "../../../../core/accounts/account.ts";
import { cardAbroad } from "../../golf/sample-cards.ts";
import type { SimulatedPipeline } from "../simulated-pipeline.ts";
import type { VirtualTime } from "../virtual-time.ts";

/** Who has the cards of the stories. */
export const vendor = "vendor-0" as ApiSet;

const sample = { ...cardAbroad(), Player: { UnionID: "1016-1" } };

/** What the actors of a story can do. */
export interface Stage {
  /** Sends cards until they are answered with 201. @param contents by card */
  submit(contents: Readonly<Record<string, string>>): Promise<void>;
  /** Withdraws the first card until the answer is no 5xx. */
  withdraw(): Promise<void>;
  deliverNow(): Promise<unknown>;
  /** Erases the player of the first card. */
  erase(): Promise<void>;
  /** How the queue's messages are taken. */
  poll: SimulatedPipeline["poll"];
  /** Removes every message from the queue. */
  purge: SimulatedPipeline["purge"];
  /** Does something so many milliseconds later. */
  after<T>(milliseconds: number, act: () => Promise<T>): Promise<T>;
}

/** The stage of a pipeline. */
export function createStage(pipeline: SimulatedPipeline, time: VirtualTime): Stage {
  const again = 500;
  return {
    async submit(contents) {
      const cards = Object.entries(contents).map(([ExternalID, Comment]) => {
        return { ...sample, ExternalID, Comment };
      });
      while ((await pipeline.submit(vendor, cards)) === undefined) await time.sleep(again);
    },
    async withdraw() {
      while ((await pipeline.withdraw(vendor, "one")) >= 500) await time.sleep(again);
    },
    deliverNow: () => pipeline.deliverNow(vendor, "one"),
    erase: () => pipeline.erase(vendor, "one"),
    poll: pipeline.poll,
    purge: pipeline.purge,
    after: (milliseconds, act) => time.sleep(milliseconds).then(act),
  };
}

/** Something that a vendor does in two acts, the second so many milliseconds after the first. */
export interface Story {
  readonly acts: (stage: Stage, at: number) => Promise<unknown>;
  /** When the second act begins that `npm test` plays: a run reads, posts and records within the first half second. */
  readonly moments: readonly number[];
  /** Whether the exchange answers 409 to what it has. */
  readonly conflicts?: boolean;
  /** How long after the second act something may fail, in milliseconds; 30 seconds if left out. */
  readonly lasts?: number;
}

/** A correction that had to wait is posted 20 seconds later, and once more five minutes after that. */
const withSecondPost = 345_000;
const correct = (stage: Stage, at: number) =>
  Promise.all([
    stage.submit({ one: "content 1" }),
    stage.after(at, () => stage.submit({ one: "content 2" })),
  ]);

/** The stories, by name. */
export const stories = {
  "a card is submitted": { moments: [0], acts: ({ submit }) => submit({ one: "content 1" }) },
  "two cards are submitted": {
    moments: [0],
    acts: ({ submit }) => submit({ one: "content 1", two: "content 1" }),
  },
  "a card is submitted twice at once": {
    moments: [5],
    acts: ({ submit, after }, at) =>
      Promise.all([submit({ one: "content 1" }), after(at, () => submit({ one: "content 1" }))]),
  },
  "a card is corrected": { moments: [5, 45], lasts: withSecondPost, acts: correct },
  "one of two cards is corrected": {
    moments: [200],
    lasts: withSecondPost,
    acts: ({ submit, after }, at) =>
      Promise.all([
        submit({ one: "content 1", two: "content 1" }),
        after(at, () => submit({ one: "content 1", two: "content 2" })),
      ]),
  },
  "a content comes back, and the exchange answers 409 to what it has": {
    moments: [100],
    lasts: withSecondPost,
    conflicts: true,
    acts: ({ submit, after }, at) =>
      Promise.all([
        submit({ one: "content 1" }),
        after(at, async () => {
          await submit({ one: "content 2" });
          await submit({ one: "content 1" });
        }),
      ]),
  },
  "a card is withdrawn": {
    moments: [0, 45, 200],
    acts: ({ submit, withdraw, after }, at) =>
      Promise.all([submit({ one: "content 1" }), after(at, () => withdraw())]),
  },
  "a card is corrected and withdrawn": {
    moments: [25, 340],
    acts: (stage, at) => Promise.all([correct(stage, 30), stage.after(at, () => stage.withdraw())]),
  },
  "a card is withdrawn and submitted again": {
    moments: [5, 200],
    acts: ({ submit, withdraw, after }, at) =>
      Promise.all([
        submit({ one: "content 1" }),
        after(20, () => withdraw()),
        after(at + 1, () => submit({ one: "content 2" })),
      ]),
  },
  "a card is delivered on demand": {
    moments: [25, 500],
    acts: ({ submit, deliverNow, after }, at) =>
      Promise.all([submit({ one: "content 1" }), after(at, deliverNow)]),
  },
  "the same is sent again after 16 minutes": {
    moments: [960_000],
    acts: ({ submit, after }, at) =>
      Promise.all([submit({ one: "content 1" }), after(at, () => submit({ one: "content 1" }))]),
  },
  "a backlog is sent again, and taken then": {
    moments: [960_000],
    async acts({ submit, after, poll }, at) {
      poll("still");
      await submit({ one: "content 1" });
      await after(at, async () => poll("usual"));
      await after(30, () => submit({ one: "content 1" }));
    },
  },
  "a backlog is lost, and sent again and again": {
    moments: [960_000],
    async acts({ submit, after, poll, purge }, at) {
      poll("still");
      await submit({ one: "content 1" });
      purge();
      poll("usual");
      await after(at, () => submit({ one: "content 1" }));
      for (const pause of [20, 1000]) await after(pause, () => submit({ one: "content 1" }));
    },
  },
  "a corrected card's player is erased after three hours": {
    moments: [10_800_000],
    acts: (stage, at) => Promise.all([correct(stage, 100), stage.after(at, () => stage.erase())]),
  },
} satisfies Readonly<Record<string, Story>>;

/** The name of a story. */
export type StoryName = keyof typeof stories;
