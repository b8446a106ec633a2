import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { mulberry32 } from "@scorecard-pipeline/stand-in/seeded-random";
import type { Context } from "aws-lambda";
import { postTiming } from "../../../core/cards/delivery/timing.ts";
import { readHandling, readSubmission } from "../../../core/cards/read-submission.ts";
import { createSubmission } from "../../../core/cards/submit.ts";
import { guidKey } from "../../../core/formats/identifiers.ts";
import type { CourseVersion } from "../../../core/golf/course.ts";
import { vendorApi } from "../../../functions/http/vendor-api.ts";
import { accepted, acceptedInPart, fits } from "../../../functions/submit-scorecards/answer.ts";
import { denmark } from "../../../unions/denmark.ts";
import { randomBodies } from "./random-bodies.ts";

/** What became of bodies that were posted. */
interface AnsweredBodies {
  /** How many got each status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** How many made the function fail instead of answer. */
  readonly thrown: number;
  /** Whether an untouched object has got a property, by way of its prototype. */
  readonly polluted: boolean;
  /** Bytes that the heap grew by between the first tenth of the bodies and the last. */
  readonly grownBytes: number;
}

const pars = [4, 4, 3, 5, 4, 4, 3, 4, 5, 4, 3, 4, 5, 4, 4, 3, 4, 5];
const templateId = "CA1636A2-0000-4078-AD38-D7F8BD23D76C";
const clubId = "7AABAF90-0000-4552-889B-553D5CE75FC6";
const teeId = "629BDEEC-0000-4309-861E-08B072D9509A";

const version: CourseVersion = {
  ID: "36D33C80-0000-4175-BC53-0E2957556305",
  TemplateID: templateId,
  ClubID: clubId,
  Name: "Old Course",
  NumberOfHoles: 18,
  ActivationDate: "20240331T220000",
  IsActive: true,
  IsHcpQualifying: true,
  IsVisible: true,
  Version: 1,
  Tees: [
    {
      ID: teeId,
      Name: "Yellow",
      Gender: 2,
      TotalLength: 6109,
      CourseRating: 718000,
      SlopeRating: 119,
      IsNineHole: false,
      Holes: pars.map((Par, hole) => ({ Number: hole + 1, Par, Index: hole + 1, Length: 350 })),
    },
  ],
};

/** Handles a submission as the function does, with tables that keep nothing. */
function submissionHandler() {
  const submit = createSubmission({
    fits,
    table: { read: async () => [], write: async (changes) => changes.map(() => "written") },
    send: async () => undefined,
    courses: {
      find: async () => new Map([[guidKey(templateId), [version]]]),
      lookAgain: async () => ({ found: new Map(), unsettled: new Map(), unanswered: new Set() }),
      clubs: async () => ({ numbers: new Set([1016]), ids: new Set() }),
    },
    now: () => new Date("2025-07-01T12:00:00Z"),
    timeZone: denmark.timeZone,
    country: denmark.country,
    highestHandicapIndex: denmark.rules.highestHandicapIndex,
    timing: postTiming(10),
  });
  return vendorApi(async ({ requestId, apiSet, body, header }) => {
    const handling = readHandling(header("prefer"));
    const answers = await submit(apiSet, readSubmission(body), handling, requestId);
    return handling === "lenient" ? acceptedInPart(answers) : accepted(answers);
  });
}

/** What API Gateway hands to the function for a body; it sends bytes that may be no text in base64. */
const event = (body: Buffer, lenient: boolean) => ({
  httpMethod: "POST",
  resource: "/{apiset}/ScorecardExchange",
  pathParameters: { apiset: "acme" },
  headers: lenient ? { Prefer: "handling=lenient" } : {},
  body: body.toString("base64"),
  isBase64Encoded: true,
  requestContext: { requestId: "bodies", authorizer: { apiSet: "acme", resources: "scorecards" } },
});

const invocation = {
  functionName: "submit-scorecards",
  awsRequestId: "bodies",
  invokedFunctionArn: "",
  memoryLimitInMB: "512",
} as Context;

/**
 * Posts random bodies to the function that takes submissions.
 *
 * @param count how many
 * @param seed the same bodies for the same seed
 */
export async function postRandomBodies(count: number, seed: number): Promise<AnsweredBodies> {
  const handler = submissionHandler();
  const random = mulberry32(seed);
  const bodies = randomBodies({ courseId: templateId, clubId, teeId, pars }, random);
  const statuses = new Map<number, number>();
  let thrown = 0;
  let heapBefore = 0;
  for (let posted = 0; posted < count; posted++) {
    const { value: body } = bodies.next();
    try {
      const { statusCode } = await handler(event(body, random() < 0.5), invocation);
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    } catch {
      thrown++;
    }
    if (posted === Math.floor(count / 10)) heapBefore = usedHeap();
  }
  const polluted = "polluted" in {} || Object.keys(Object.prototype).length > 0;
  return { statuses, thrown, polluted, grownBytes: usedHeap() - heapBefore };
}

/** Bytes of the heap in use after garbage collection. */
function usedHeap(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}
