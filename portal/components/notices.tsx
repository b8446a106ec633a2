import { ApiError, type DeliveryPause, NoResponseError } from "@scorecard-pipeline/scorecards-client";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { isRefusal } from "../base/api.ts";
import { formatDuration, formatShortTime, formatUpcoming } from "../base/format.ts";
import type { Live } from "../base/live.ts";
import { useSession } from "../base/session.ts";
import { texts } from "../texts/texts.ts";
import { Panel } from "./panel.tsx";
import { QuietButton } from "./quiet-button.tsx";

/** A message for an empty list, and what to do. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A placeholder for data that is still loading. */
export const Loading = () => (
  <p class="loading" role="status">
    {texts.loading}
  </p>
);

/** Why something could not be read, in words. */
export function failureText(failure: unknown): string {
  if (failure instanceof NoResponseError) return texts.failure.unreachable;
  if (!(failure instanceof ApiError)) return texts.failure.server;
  if (failure.status === 429) return texts.failure.busy;
  if (failure.status === 403) return texts.failure.forbidden;
  if (failure.status >= 500) return texts.failure.server;
  const { detail, errors = [] } = failure.problem ?? {};
  return [detail ?? texts.failure.other, ...errors.map((fault) => fault.detail)].join(" ");
}

/**
 * A notice that data could not be read: in its place, or above the data that was read before. Signs out if the API refuses
 * the account.
 */
export function Failure({ live, retry }: { readonly live: Live<unknown>; readonly retry: () => void }) {
  const { expire } = useSession();
  const { failure, at } = live;
  const isExpired = isRefusal(failure, 401);
  useEffect(() => {
    if (isExpired) expire();
  }, [isExpired, expire]);
  if (failure === undefined || isExpired) return null;
  const requestId = failure instanceof ApiError ? failure.requestId : undefined;
  return (
    <section class="notice fault" role="alert">
      <h2>{texts.failure.title}</h2>
      <p>{failureText(failure)}</p>
      {at !== undefined && <p>{texts.failure.stale(formatShortTime(at))}</p>}
      {requestId !== undefined && <p class="quiet">{texts.failure.requestId(requestId)}</p>}
      <QuietButton onClick={retry}>{texts.failure.again}</QuietButton>
    </section>
  );
}

/** Says that data is being read for the first time, or why it could not be read. */
export const ReadState = (read: { readonly live: Live<unknown>; readonly retry: () => void }) => (
  <>
    <Failure {...read} />
    {read.live.data === undefined && read.live.failure === undefined && <Loading />}
  </>
);

interface ViewTitleProps {
  readonly title: ComponentChildren;
  readonly live?: Live<unknown>;
  readonly refresh?: () => void;
  readonly children?: ComponentChildren;
}

/** A view's title, when its data was read, and a button to read it now. */
export function ViewTitle({ title, live, refresh, children }: ViewTitleProps) {
  return (
    <div class="view-title">
      <h1>{title}</h1>
      {children}
      {refresh !== undefined && (
        <p class="updated">
          {live?.at !== undefined && <span>{texts.updatedAt(formatShortTime(live.at))}</span>}
          <QuietButton onClick={refresh}>{texts.refresh}</QuietButton>
        </p>
      )}
    </div>
  );
}

/** A notice that nothing can be delivered: since when, why, and when it is tried next. */
export function PausedNotice({ paused }: { readonly paused: DeliveryPause }) {
  const { since, lastError, nextAttemptAt } = paused;
  const duration = formatDuration((Date.now() - Date.parse(since)) / 1000);
  return (
    <Panel class="notice warning" id="paused" title={texts.paused.title}>
      <p>{texts.paused.text(formatShortTime(since), duration)}</p>
      <p>{texts.paused.why(errorText(lastError))}</p>
      <p>{texts.paused.next(formatUpcoming(nextAttemptAt))}</p>
    </Panel>
  );
}

/** A failed post in words: the exchange's status and its message. */
export function errorText({
  status,
  message,
}: {
  readonly status?: number | undefined;
  readonly message?: string | undefined;
}): string {
  const known = status === undefined ? "" : texts.card.status(status);
  // Some messages begin with the status themselves.
  if (message === undefined || known === "" || message.startsWith(known)) return message ?? known;
  return `${known}: ${message}`;
}
