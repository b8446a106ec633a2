import { mostAnswerBytes } from "../../core/problem/answer-size.ts";
import { submissionLimits } from "../../core/submission/limits.ts";
import { apiEvent } from "../api-event.ts";
import { postCards } from "../backlog.ts";
import type { FunctionsInFront } from "./functions-in-front.ts";
import {
  type CardShape,
  emptyObjects,
  faultyCards,
  incompressible,
  largeCards,
  playableCourses,
} from "./large-cards.ts";
import type { LargestInput } from "./largest-input.ts";

/** A card may have 200 KiB of JSON; what is not its padding is less than the rest. */
export const largestPadding = 198 * 1024;
/** Of such cards a submission of 5 MiB holds so many. */
export const largestCards = 25;

/** A submission sent, sent again, and corrected time after time, which reads and writes the most. */
const revisions = [0, 0, 1, 2, 3, 4];

/** The most that a submission may hold, in the shapes in which it takes the most memory. */
async function largestShapes(front: FunctionsInFront): Promise<{ name: string; shape: CardShape }[]> {
  const { cards } = submissionLimits;
  return [
    {
      name: `${cards} cards, their answer as large as may be`,
      shape: { name: "many", cards, Padding: incompressible(await paddingOfMany(front)) },
    },
    {
      name: `${largestCards} cards of 200 KB, text`,
      shape: { name: "text", cards: largestCards, Padding: incompressible(largestPadding) },
    },
    {
      name: `${largestCards} cards of 200 KB, empty objects`,
      shape: { name: "objects", cards: largestCards, Padding: emptyObjects(largestPadding) },
    },
  ];
}

/** The padding with which a thousand cards and all that is derived for them still fit an answer. */
async function paddingOfMany(front: FunctionsInFront): Promise<number> {
  const { standIn, run, apiSet, authorization } = front;
  const card = largeCards(standIn, playableCourses(standIn, 1), { name: "measure", cards: 1 });
  const path = `/${apiSet}/ScorecardExchange/Validate`;
  const answer = JSON.stringify(await postCards(`${run.api}${path}`, authorization, card));
  const bytes = Buffer.byteLength(JSON.stringify(answer));
  return Math.max(0, Math.floor(mostAnswerBytes / submissionLimits.cards) - bytes);
}

const largestBody = (name: string): CardShape => ({ name, cards: 1_000, Padding: incompressible(4_500) });

function request(front: FunctionsInFront, validate: boolean, cards: readonly unknown[], lenient = false) {
  return apiEvent({
    method: "POST",
    resource: validate ? "/{apiset}/ScorecardExchange/Validate" : "/{apiset}/ScorecardExchange",
    apiSet: front.apiSet,
    headers: { "Content-Type": "application/json", ...(lenient && { Prefer: "handling=lenient" }) },
    body: JSON.stringify(cards),
  });
}

/** For submit-scorecards. */
export async function largestSubmissions(front: FunctionsInFront): Promise<LargestInput[]> {
  const { standIn } = front;
  const courses = playableCourses(standIn, submissionLimits.cards);
  const good = (await largestShapes(front)).map(
    ({ name, shape }): LargestInput => ({
      name: `${name}, on ${Math.min(courses.length, shape.cards)} courses`,
      events: () =>
        revisions.map((revision) =>
          request(front, false, largeCards(standIn, courses, { ...shape, revision })),
        ),
      answered: /^\{"statusCode":201/,
    }),
  );
  return [
    ...good,
    {
      name: "5 MiB of cards, more than their answer can carry",
      events: () =>
        revisions.map(() => request(front, false, largeCards(standIn, courses, largestBody("more")))),
      answered: /^\{"statusCode":413/,
    },
    {
      name: "1000 cards of which everything is wrong",
      events: () => revisions.map(() => request(front, false, faultyCards(submissionLimits.cards))),
      answered: /^\{"statusCode":422/,
    },
    {
      name: "the same, each to be judged by itself",
      events: () => revisions.map(() => request(front, false, faultyCards(submissionLimits.cards), true)),
      answered: /^\{"statusCode":(207|413)/,
    },
  ];
}

/** For validate-scorecards, which explains every figure. */
export async function largestValidations(front: FunctionsInFront): Promise<LargestInput[]> {
  const { standIn } = front;
  const courses = playableCourses(standIn, submissionLimits.cards);
  const good = (await largestShapes(front)).map(
    ({ name, shape }): LargestInput => ({
      name: `${name}, on ${Math.min(courses.length, shape.cards)} courses`,
      events: () =>
        revisions.map((revision) =>
          request(front, true, largeCards(standIn, courses, { ...shape, revision })),
        ),
      answered: /^\{"statusCode":200/,
    }),
  );
  return [
    ...good,
    {
      name: "1000 cards of which everything is wrong",
      events: () => revisions.map(() => request(front, true, faultyCards(submissionLimits.cards))),
      answered: /^\{"statusCode":200/,
    },
  ];
}
