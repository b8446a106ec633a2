import type { LocalRun } from "@scorecard-pipeline/local-aws";
import * as z from "zod";

const reportSchema = z.object({
  listed: z.boolean(),
  clubs: z.number(),
  mirrored: z.number(),
  unmirrored: z.number(),
});

/** Ends a mirroring that makes no progress. */
const maxRuns = 50;
const failed = "the union cannot be mirrored now; the schedule tries again";

/**
 * Fills the mirror by running its function like the schedule does, so that the first request finds every course.
 *
 * It returns even if the union does not answer, because the pipeline works without it.
 */
export async function fillMirror(
  run: Pick<LocalRun, "invoke">,
  timeoutMilliseconds: number,
  progress: (step: string) => void,
): Promise<void> {
  const timeout = Promise.withResolvers<"timeout">();
  const timer = setTimeout(() => timeout.resolve("timeout"), timeoutMilliseconds);
  try {
    for (let count = 0; count < maxRuns; count++) {
      const invocation = run.invoke("mirror-courses", { pass: "changes" });
      const report = await Promise.race([invocation, timeout.promise]);
      if (report === "timeout") {
        invocation.catch(() => undefined);
        progress("the union is slow; mirroring its courses continues in the background");
        return;
      }
      const { listed, clubs, mirrored, unmirrored } = reportSchema.parse(report);
      if (listed && unmirrored === 0) {
        progress(`mirrored the courses of all ${clubs} clubs`);
        return;
      }
      if (mirrored === 0) break;
      progress(`mirrored the courses of ${clubs - unmirrored} of ${clubs} clubs`);
    }
    progress(failed);
  } catch {
    progress(failed);
  } finally {
    clearTimeout(timer);
  }
}
