import type { CardStatus } from "../../api/card-schemas.ts";
import type { ApiSet } from "../../core/accounts/account.ts";
import { isExternalId } from "../../core/formats/external-ids.ts";
import { faultCodes } from "../../core/golf/findings.ts";
import { instantsOf } from "../../core/views/activity.ts";
import { type LogPlace, type RefusalReader, refusalDays } from "../../core/views/refusal-table.ts";
import { readCursor, writeCursor } from "../http/cursor.ts";
import { ProblemError, problem, unknownPlace } from "../http/problem.ts";
import { type HttpResponse, json } from "../http/response.ts";
import { readDays } from "./days.ts";

const pageSize = 100;
/** How far back a card that was never accepted is looked for among the refused ones. */
const searchedMilliseconds = refusalDays * 86_400_000;

type Query = ReadonlyMap<string, readonly string[]>;

/** Reads a page's `cursor`: an item of the log, and how many of its faults came before. @throws ProblemError 400 */
function readPlace(cursor: string): LogPlace {
  const [item, faults] = readCursor("refusals", cursor) ?? [];
  if (item !== undefined) return { item, faults: Number(faults) };
  throw unknownPlace("cursor");
}

/** @returns a parameter's value; undefined if it was not sent @throws ProblemError 400 if it was sent twice */
function single(query: Query, name: string): string | undefined {
  const [value, ...others] = query.get(name) ?? [];
  if (others.length === 0) return value;
  throw new ProblemError(problem(400, "Which refusals?", `Give ${name} once.`));
}

/**
 * One page of the faults of a vendor's refused cards, the newest submission first, with the link to the next.
 *
 * @param query values by name in lower case
 * @param today in the union's time zone
 * @throws ProblemError 400
 */
export async function refusedCards(
  reader: Pick<RefusalReader, "page">,
  apiSet: ApiSet,
  query: Query,
  { today, timeZone }: { readonly today: string; readonly timeZone: string },
): Promise<HttpResponse> {
  const days = readDays(query, today);
  const [code, externalId, cursor] = [
    single(query, "code"),
    single(query, "externalid"),
    single(query, "cursor"),
  ];
  if (code !== undefined && !faultCodes.some((known) => known === code)) {
    const detail = "code is not a fault of a card: docs/faults.md lists them.";
    throw new ProblemError(problem(400, "Which refusals?", detail));
  }
  if (externalId !== undefined && !isExternalId(externalId)) {
    const detail = "externalId cannot be the ExternalID of a card.";
    throw new ProblemError(problem(400, "Which refusals?", detail));
  }
  const { faults, next } = await reader.page(
    apiSet,
    { ...instantsOf(days, timeZone), code, externalId },
    pageSize,
    cursor === undefined ? undefined : readPlace(cursor),
  );
  const link = next && {
    next: `?${new URLSearchParams({
      ...days,
      ...(code !== undefined && { code }),
      ...(externalId !== undefined && { externalId }),
      cursor: writeCursor("refusals", next.item, next.faults),
    })}`,
  };
  return json(200, { refusals: faults, ...link }, { "Cache-Control": "no-store" });
}

/** The statuses, with the last refusal of each card that was never accepted. @param now milliseconds since 1970, UTC */
export async function withRefusals(
  reader: Pick<RefusalReader, "newest">,
  apiSet: ApiSet,
  statuses: readonly CardStatus[],
  now: number,
): Promise<CardStatus[]> {
  const unknown = statuses.flatMap(({ state, externalId }) => (state === "unknown" ? [externalId] : []));
  if (unknown.length === 0) return [...statuses];
  const refusals = await reader.newest(apiSet, unknown, now - searchedMilliseconds);
  return statuses.map((status) => {
    const [first, ...others] = (status.state === "unknown" && refusals.get(status.externalId)) || [];
    if (first === undefined) return status;
    const { at, requestId } = first;
    const errors = [first, ...others].map(
      ({ at: _at, requestId: _requestId, tournament: _tournament, ...fault }) => fault,
    );
    return { externalId: status.externalId, state: "refused", since: at, requestId, errors };
  });
}
