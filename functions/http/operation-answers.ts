import type { AnsweringFunction, OperationAnsweredBy, OperationId } from "../../api/routes.ts";
import type { HttpResponse } from "./response.ts";
import type { VendorRequest } from "./vendor-request.ts";

type Answer<Response> = (request: VendorRequest) => Promise<Response>;

/** An answer for each operation that the table of routes gives to a function: one that is missing or too many does not compile. */
export type OperationAnswers<Name extends AnsweringFunction, Response = HttpResponse> = Readonly<
  Record<OperationAnsweredBy<Name>, Answer<Response>>
>;

/**
 * Answers a request by its operation.
 *
 * @throws Error if the operation is another function's, so that a wrong route changes nothing
 */
export function answerOperation<Response = HttpResponse>(
  answers: Readonly<Partial<Record<OperationId, Answer<Response>>>>,
  request: VendorRequest,
): Promise<Response> {
  const answer = answers[request.operation];
  if (answer === undefined) throw new Error(`This function does not answer ${request.operation}.`);
  return answer(request);
}
