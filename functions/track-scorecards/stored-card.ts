import type { StoredCard } from "../../core/cards/life/card.ts";
import { cardStatus, toCardPosts } from "../../core/cards/status.ts";
import { explainCard } from "../../core/golf/explain.ts";
import type { Scorecard } from "../../core/golf/scorecard.ts";
import { ProblemError, problem } from "../http/problem.ts";
import { type HttpResponse, json } from "../http/response.ts";

/** A card that a person was erased from has its ID only, if the person was its player. */
type ContentLeft = Scorecard | { readonly ID: string };

/**
 * 200 with a card as it is stored and delivered, and how each of its figures was calculated.
 *
 * @throws ProblemError 410 if its player was erased
 */
export function storedCardAnswer(stored: StoredCard): HttpResponse {
  const text = stored.content.text();
  const card = JSON.parse(text) as ContentLeft;
  if (!("Course" in card)) {
    const detail =
      "The card's player has been erased, so only its state is left: read it without /Card at the end of the path.";
    throw new ProblemError(problem(410, "Card erased", detail));
  }
  const status = cardStatus(stored.externalId, stored, { version: 0, open: undefined });
  const { externalId, version, state, acceptedAt, since, record, earlier = [], warnings = [] } = status;
  const derivation = explainCard(card);
  const posts = toCardPosts(stored);
  const rest = JSON.stringify({
    externalId,
    version,
    state,
    acceptedAt,
    since,
    posts,
    record,
    earlier,
    warnings,
    derivation,
  });
  // The card's own text: parsing and writing it again could change long numbers.
  return json(200, `${rest.slice(0, -1)},"card":${text}}`, { "Cache-Control": "no-store" });
}
