import type { CardRefusal } from "@scorecard-pipeline/scorecards-client";
import { formatShortTime } from "../../base/format.ts";
import { useSession } from "../../base/session.ts";
import { CardLink } from "../../components/card-link.tsx";
import { PagedList, usePages } from "../../components/paged-list.tsx";
import { RefusalFault } from "../../components/refusal-fault.tsx";
import { texts } from "../../texts/texts.ts";

/** Faults of refused cards with what was sent, page by page. @param query `?from=…&to=…` and what else the API takes */
export function RefusalList({ query }: { readonly query: string }) {
  const { api } = useSession();
  const pages = usePages(query, 0, api.refusals, ({ refusals }) => refusals);
  return (
    <PagedList
      kind="findings refused-cards"
      label={texts.refusals.title}
      pages={pages}
      keyOf={(_, place) => String(place)}
      row={(refusal) => <RefusedCard refusal={refusal} />}
      empty={null}
    />
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
      <RefusalFault fault={refusal} isExplained />
    </>
  );
}
