import * as z from "zod";
import type { LocalRun } from "./local-run.ts";

const reportSchema = z.object({
  clubs: z.number(),
  mirrored: z.number(),
  changedVersions: z.number(),
  failed: z.number(),
  left: z.number(),
});

/** A pass that gets no further is not repeated for ever. */
const passesAtMost = 50;

/**
 * Has the mirror filled, pass by pass as its schedule would, so that the first request finds every course.
 *
 * A union that does not answer is no reason not to start: the pipeline is made to outlive that.
 */
export async function fillMirror(
  run: LocalRun,
  patienceMilliseconds: number,
  progress: (step: string) => void,
): Promise<void> {
  const unanswered = Promise.withResolvers<"unanswered">();
  const timer = setTimeout(() => unanswered.resolve("unanswered"), patienceMilliseconds);
  try {
    for (let pass = 0; pass < passesAtMost; pass++) {
      const invocation = run.invoke("mirror-courses", { pass: "changes" });
      const answer = await Promise.race([invocation, unanswered.promise]);
      if (answer === "unanswered") {
        invocation.catch(() => undefined);
        progress("the union is slow; its courses are mirrored in the background");
        return;
      }
      const report = reportSchema.parse(answer);
      if (report.left === 0) {
        progress(`${report.changedVersions} course versions of ${report.clubs} clubs mirrored`);
        return;
      }
    }
  } catch {
    progress("the union cannot be mirrored now; the schedule goes on trying");
  } finally {
    clearTimeout(timer);
  }
}
