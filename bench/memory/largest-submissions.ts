import { submissionLimits } from "../../core/cards/read-submission.ts";
import { maxResponseBytes } from "../../functions/http/response.ts";
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

/** A card may have 200 KiB of JSON; the padding fills it up to nearly that. */
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
  return Math.max(0, Math.floor(maxResponseBytes / submissionLimits.cards) - bytes);
}

const largestBody = (name: string): CardShape => ({ name, cards: 1_000, Padding: incompressible(4_500) });

type Request = (cards: readonly unknown[], headers?: Record<string, string>) => object;

function requestOf({ apiSet }: FunctionsInFront, resource: string): Request {
  return (cards, headers = {}) =>
    apiEvent({
      method: "POST",
      resource,
      apiSet,
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(cards),
    });
}

/** Good cards in every shape, and all shapes in turn: an environment keeps the courses of what it has judged before. */
async function largestGood(
  front: FunctionsInFront,
  request: Request,
  answered: RegExp,
): Promise<LargestInput[]> {
  const { standIn } = front;
  const courses = playableCourses(standIn, submissionLimits.cards);
  const shapes = await largestShapes(front);
  const submission = (shape: CardShape, revision: number) =>
    request(largeCards(standIn, courses, { ...shape, revision }));
  return [
    ...shapes.map(({ name, shape }) => ({
      name: `${name}, on ${Math.min(courses.length, shape.cards)} courses`,
      events: () => revisions.map((revision) => submission(shape, revision)),
      answered,
    })),
    {
      name: "all of these in turn",
      inTurn: true,
      events: () =>
        revisions.flatMap((revision) => shapes.map(({ shape }) => submission(shape, revision + 10))),
      answered,
    },
  ];
}

/** For submit-scorecards. */
export async function largestSubmissions(front: FunctionsInFront): Promise<LargestInput[]> {
  const { standIn } = front;
  const request = requestOf(front, "/{apiset}/ScorecardExchange");
  const courses = playableCourses(standIn, submissionLimits.cards);
  const faulty = faultyCards(submissionLimits.cards);
  return [
    ...(await largestGood(front, request, /^\{"statusCode":201/)),
    {
      name: "5 MiB of cards, more than their answer can carry",
      events: () => revisions.map(() => request(largeCards(standIn, courses, largestBody("more")))),
      answered: /^\{"statusCode":413/,
    },
    {
      name: `${faulty.length} cards of which everything is wrong`,
      events: () => revisions.map(() => request(faulty)),
      answered: /^\{"statusCode":422/,
    },
    {
      name: "the same, each to be judged by itself",
      events: () => revisions.map(() => request(faulty, { Prefer: "handling=lenient" })),
      answered: /^\{"statusCode":413/,
    },
  ];
}

/** For validate-scorecards, which explains every figure. */
export async function largestValidations(front: FunctionsInFront): Promise<LargestInput[]> {
  const request = requestOf(front, "/{apiset}/ScorecardExchange/Validate");
  const faulty = faultyCards(submissionLimits.cards);
  return [
    ...(await largestGood(front, request, /^\{"statusCode":200/)),
    {
      name: `${faulty.length} cards of which everything is wrong`,
      events: () => revisions.map(() => request(faulty)),
      answered: /^\{"statusCode":200/,
    },
  ];
}
