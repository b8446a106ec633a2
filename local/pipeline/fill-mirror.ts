import * as z from "zod";
import type { LocalRun } from "../aws/local-run.ts";

const reportSchema = z.object({
  listed: z.boolean(),
  clubs: z.number(),
  mirrored: z.number(),
  unmirrored: z.number(),
});

/** So that passes that make no progress end. */
const passesAtMost = 50;
const notNow = "the union cannot be mirrored now; the schedule goes on trying";

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
      const { listed, clubs, mirrored, unmirrored } = reportSchema.parse(answer);
      if (listed && unmirrored === 0) {
        progress(`the courses of ${clubs} clubs are mirrored`);
        return;
      }
      if (mirrored === 0) break;
      progress(`the courses of ${clubs - unmirrored} of ${clubs} clubs are mirrored`);
    }
    progress(notNow);
  } catch {
    progress(notNow);
  } finally {
    clearTimeout(timer);
  }
}
