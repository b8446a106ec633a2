import { notNow } from "../problem/problem.ts";

/**
 * Turns what the queue or the table would not take into an answer to the vendor: nothing is lost by asking again.
 *
 * @param detail what was not done, for the vendor's developer
 * @throws ProblemError 503
 */
export async function busyAsProblem<T>(detail: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw notNow(detail, { cause });
  }
}
