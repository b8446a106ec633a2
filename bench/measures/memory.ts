import type { FunctionName } from "../../lib/bundles.ts";
import type { BenchRow } from "../bench-row.ts";
import { invokeInOwnProcess, type RunnableFunction } from "../memory/function-in-own-process.ts";
import { type FunctionsInFront, startFunctionsInFront } from "../memory/functions-in-front.ts";
import { largestDeliveries } from "../memory/largest-deliveries.ts";
import type { LargestInput } from "../memory/largest-input.ts";
import { largestLookUps, largestPasses, largestReadings } from "../memory/largest-readings.ts";
import { largestSubmissions, largestValidations } from "../memory/largest-submissions.ts";
import {
  largestChanges,
  largestChecks,
  largestEvents,
  largestOutcomes,
  largestTracking,
  usualEndpoints,
} from "../memory/stored-cards.ts";
import {
  usualAuthorizations,
  usualCounts,
  usualDescriptions,
  usualLogins,
  usualOverviews,
  usualPages,
  usualPreflights,
} from "../memory/usual-requests.ts";
import { realCourses } from "../real-courses.ts";

/** The largest share of its memory that a function may have resident at its largest input. */
const mostOfMemory = 0.5;

/** Only a stage that looks for cards in the players' records has check-records. */
type MeasuredName = Exclude<FunctionName, "check-records">;

const largestInputs: Readonly<
  Record<MeasuredName, (front: FunctionsInFront) => LargestInput[] | Promise<LargestInput[]>>
> = {
  // Fills the mirror, which others read.
  "mirror-courses": largestPasses,
  "answer-preflights": usualPreflights,
  authorize: usualAuthorizations,
  "change-delivery": largestChanges,
  "check-players": largestChecks,
  "deliver-scorecards": largestDeliveries,
  "deliver-webhooks": largestEvents,
  "manage-webhooks": usualEndpoints,
  "describe-account": usualLogins,
  "describe-api": usualDescriptions,
  "measure-unsent": usualCounts,
  "follow-outcomes": largestOutcomes,
  "read-courses": largestReadings,
  "read-members": largestLookUps,
  "read-operations": usualOverviews,
  "serve-portal": usualPages,
  "submit-scorecards": largestSubmissions,
  "track-scorecards": largestTracking,
  "validate-scorecards": largestValidations,
};

/** How much of its memory each function has resident at its largest input, in a process of its own. */
export async function run(): Promise<BenchRow[]> {
  const front = await startFunctionsInFront(realCourses);
  try {
    const rows: BenchRow[] = [];
    for (const name of Object.keys(largestInputs) as MeasuredName[]) {
      const measured = front.functions.get(name);
      if (measured === undefined) throw new Error(`The template has no ${name}.`);
      rows.push(...(await memoryOf(measured, await largestInputs[name](front))));
    }
    return rows;
  } finally {
    await front.stop();
  }
}

/** A row for each input, and how much of its memory the function needs for the largest. */
async function memoryOf(measured: RunnableFunction, inputs: readonly LargestInput[]): Promise<BenchRow[]> {
  const { name, memoryMegabytes } = measured;
  const rows: BenchRow[] = [{ name: `${name} is given`, value: memoryMegabytes, unit: "MB" }];
  let most = 0;
  const inTurn: BenchRow[] = [];
  for (const input of inputs) {
    const environment = { ...measured.environment, ...input.environment };
    const { bytes, answers } = await invokeInOwnProcess({ ...measured, environment }, await input.events());
    const other = answers.find((answer) => !input.answered.test(answer));
    if (other !== undefined) throw new Error(`${name}, ${input.name}, was answered ${other}`);
    const megabytes = bytes / 2 ** 20;
    if (input.inTurn) {
      inTurn.push({ name: "  in turn, of what it is given", value: megabytes / memoryMegabytes, unit: "x" });
    } else most = Math.max(most, megabytes);
    rows.push({ name: `  ${input.name}`, value: megabytes, unit: "MB" });
  }
  return [
    ...rows,
    {
      name: "  its largest input, of what it is given",
      value: most / memoryMegabytes,
      unit: "x",
      bar: mostOfMemory,
    },
    ...inTurn,
  ];
}
