import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { chunks } from "../../../core/formats/chunks.ts";
import { green, red, storedCard } from "../memory/stored-card.ts";
import {
  about,
  type Exchange,
  echo,
  message,
  names,
  second,
  settings,
  wakeUp,
  world,
} from "./delivery-world.ts";

/** An environment whose runs share posts, and an exchange that answers when the test says so. */
function sharingWorld({ postSize = settings.postSize }: { readonly postSize?: number } = {}) {
  const answers: PromiseWithResolvers<void>[] = [];
  const held: Exchange = async (ids) => {
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    await answer.promise;
    return echo(ids);
  };
  const shared = world(held, { settings: { ...settings, sharesPosts: true, postSize } });
  return {
    ...shared,
    /** Waits until the exchange has this number of posts. */
    posted: (count: number) => vi.waitFor(() => expect(shared.posts).toHaveLength(count)),
    answer: (post: number) => answers[post]?.resolve(),
    answerAll() {
      for (const { resolve } of answers) resolve();
    },
  };
}

const messageAbout = (messageId: string, ...ids: readonly string[]) =>
  message(
    ids.map((id) => wakeUp(id)),
    { messageId },
  );

test("runs that come while one posts for the vendor post together when it has ended", async () => {
  const { cards, run, arrays, posted, answer, states } = sharingWorld();
  cards.put(...["1", "2", "3", "4"].map((id) => storedCard(id)));
  const runs = [run([about("1")])];
  await posted(1);
  runs.push(run([about("2")]), run([about("3", "4")]));
  answer(0);
  await posted(2);
  answer(1);
  expect(await Promise.all(runs)).toEqual([[], [], []]);
  expect(arrays()).toEqual([["1"], ["2", "3", "4"]]);
  expect(states("1", "2", "3", "4")).toEqual(Array(4).fill("delivered"));
});

test("runs that fill an array together post it at once, however long another post takes", async () => {
  const { cards, run, arrays, posted, answerAll } = sharingWorld({ postSize: 3 });
  cards.put(...names(6).map((id) => storedCard(id)));
  const runs = [run([about("card-0")])];
  await posted(1);
  runs.push(run([about("card-1")]), run([about("card-2", "card-3")]));
  await posted(2);
  expect(arrays()[1]).toEqual(["card-1", "card-2", "card-3"]);
  answerAll();
  await Promise.all(runs);
});

test("a run waits for a slow post of its vendor for a moment only", async () => {
  const { cards, run, arrays, posted, answerAll } = sharingWorld();
  cards.put(storedCard("1"), storedCard("2"));
  const runs = [run([about("1")]), run([about("2")])];
  await posted(2);
  expect(arrays()).toEqual([["1"], ["2"]]);
  answerAll();
  await Promise.all(runs);
});

test("a run waits for no other vendor's post", async () => {
  const { cards, run, posts, posted, answerAll } = sharingWorld();
  cards.put(storedCard("1", { apiSet: green }), storedCard("2", { apiSet: red }));
  const runs = [run([about("1")])];
  await posted(1);
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  runs.push(run([message([wakeUp("2", { apiSet: red })])]));
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
  vi.useRealTimers();
  expect(posts.map(({ apiSet }) => apiSet)).toEqual([green, red]);
  answerAll();
  await Promise.all(runs);
});

test("a card that two runs were given is posted once, and both are done with it", async () => {
  const { cards, run, arrays, posted, answer } = sharingWorld();
  cards.put(storedCard("1"), storedCard("2"));
  const runs = [run([about("1")])];
  await posted(1);
  runs.push(run([messageAbout("a", "2")]), run([messageAbout("b", "2")]));
  answer(0);
  await posted(2);
  answer(1);
  expect(await Promise.all(runs)).toEqual([[], [], []]);
  expect(arrays()).toEqual([["1"], ["2"]]);
});

test("if outcomes cannot be recorded, each run hands its own messages over again", async () => {
  const { cards, run, posted, answerAll } = sharingWorld();
  cards.put(...["1", "2", "3"].map((id) => storedCard(id)));
  const first = run([messageAbout("a", "1")]);
  await posted(1);
  const others = [run([messageAbout("b", "2")]), run([messageAbout("c", "3")])];
  answerAll();
  expect(await first).toEqual([]);
  await posted(2);
  cards.hooks.beforeWrite = () => Promise.reject(new Error("the table does not answer"));
  answerAll();
  expect(await Promise.all(others)).toEqual([["b"], ["c"]]);
});

test("runs that share a post have as long as the one that ends first", async () => {
  const { cards, deliver, sent, arrays, posted, answerAll } = sharingWorld();
  cards.put(...["1", "2", "3"].map((id) => storedCard(id)));
  const runs = [deliver([about("1")], () => 30 * second)];
  await posted(1);
  runs.push(
    deliver([about("2")], () => 30 * second),
    deliver([about("3")], () => second),
  );
  answerAll();
  expect(await Promise.all(runs)).toEqual([[], [], []]);
  expect(arrays()).toEqual([["1"]]);
  expect(sent.map(({ externalId }) => externalId)).toEqual(["2", "3"]);
});

test("runs that do not share post beside each other", async () => {
  const { cards, run, arrays } = world();
  cards.put(...["1", "2", "3"].map((id) => storedCard(id)));
  await Promise.all([run([about("1")]), run([about("2")]), run([about("3")])]);
  expect(arrays()).toEqual([["1"], ["2"], ["3"]]);
});

test("whatever runs come at the same time, every card is posted once and every message is done with", async () => {
  const all = names(40);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.nat(5), { minLength: 40, maxLength: 40 }),
      async (cardsOfRun, postSize, turns) => {
        const answered: Exchange = async (ids) => {
          for (let turn = 0; turn < (turns[ids.length] ?? 0); turn++) await new Promise(setImmediate);
          return echo(ids);
        };
        const { cards, run, arrays, states } = world(answered, {
          settings: { ...settings, sharesPosts: true, postSize },
        });
        cards.put(...all.map((id) => storedCard(id)));
        const runs = chunks(all, cardsOfRun).map((ids) => run([about(...ids)]));
        expect((await Promise.all(runs)).flat()).toEqual([]);
        expect(arrays().flat().toSorted()).toEqual(all.toSorted());
        expect(states(...all)).toEqual(all.map(() => "delivered"));
      },
    ),
    { numRuns: 50 },
  );
});
