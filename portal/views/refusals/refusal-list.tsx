import type { CardRefusal, CardRefusalList } from "@scorecard-pipeline/scorecards-client";
import { useEffect, useState } from "preact/hooks";
import { formatShortTime } from "../../base/format.ts";
import { useSession } from "../../base/session.ts";
import { CardLink } from "../../components/card-link.tsx";
import { Failure, Loading } from "../../components/notices.tsx";
import { QuietButton } from "../../components/quiet-button.tsx";
import { RefusalFault } from "../../components/refusal-fault.tsx";
import { texts } from "../../texts/texts.ts";

/** Faults of refused cards with what was sent, page by page. @param query `?from=…&to=…` and what else the API takes */
export function RefusalList({ query }: { readonly query: string }) {
  const { api } = useSession();
  const [pages, setPages] = useState<readonly CardRefusalList[]>([]);
  const [failure, setFailure] = useState<unknown>();
  const [next, setNext] = useState<string | undefined>(query);
  const [reading, setReading] = useState<string | undefined>(query);

  useEffect(() => {
    setPages([]);
    setNext(query);
    setReading(query);
  }, [query]);
  useEffect(() => {
    if (reading === undefined) return;
    const aborted = new AbortController();
    setFailure(undefined);
    api
      .refusals(reading, aborted.signal)
      .then((page) => {
        setPages((before) => (reading === query ? [page] : [...before, page]));
        setNext(page.next);
        // A page of a search can be empty although there are others.
        setReading(page.refusals.length === 0 ? page.next : undefined);
      })
      .catch((error: unknown) => {
        if (aborted.signal.aborted) return;
        setFailure(error);
        setReading(undefined);
      });
    return () => aborted.abort();
  }, [api, query, reading]);

  const refusals = pages.flatMap((page) => page.refusals);
  return (
    <>
      <Failure live={{ failure }} retry={() => setReading(next)} />
      <ul class="findings refused-cards">
        {refusals.map((refusal, place) => (
          <li key={place}>
            <RefusedCard refusal={refusal} />
          </li>
        ))}
      </ul>
      {reading !== undefined && <Loading />}
      {reading === undefined && next !== undefined && refusals.length > 0 && (
        <QuietButton onClick={() => setReading(next)}>{texts.refusals.more}</QuietButton>
      )}
    </>
  );
}

function RefusedCard({ refusal }: { readonly refusal: CardRefusal }) {
  const { externalId, at, requestId, index } = refusal;
  return (
    <>
      <p>
        <CardLink externalId={externalId} /> <time dateTime={at}>{formatShortTime(at)}</time>{" "}
        <span class="quiet">{texts.refusals.request(requestId, index)}</span>
      </p>
      <RefusalFault fault={refusal} />
    </>
  );
}
