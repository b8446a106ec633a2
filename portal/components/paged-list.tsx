import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Live, useLive } from "../base/live.ts";
import { texts } from "../texts/texts.ts";
import { Failure, Loading } from "./notices.tsx";
import { QuietButton } from "./quiet-button.tsx";

/** A page of a list of the API. `next` is the query of the page after it. */
interface ListPage {
  readonly next?: string;
}

/** The entries of a list, as far as they were read. `data` is the first page. */
export interface PagedEntries<Entry> extends Live<unknown> {
  readonly entries: readonly Entry[];
  readonly hasMore: boolean;
  readonly isReading: boolean;
  /** Reads the page after the last one, if there is one and none is being read. */
  readonly readNext: () => void;
  /** Reads the list from its beginning. */
  readonly refresh: () => void;
}

/**
 * Reads a list of the API: its first page now, and as often as `seconds` says; the others when they are asked for.
 *
 * @param query of the first page; with another one, everything is read again
 * @param seconds between two reads of the first page at first; 0 to read it once
 * @param select the entries of a page
 */
export function usePages<Page extends ListPage, Entry>(
  query: string,
  seconds: number,
  read: (query: string, signal?: AbortSignal) => Promise<Page>,
  select: (page: Page) => readonly Entry[],
): PagedEntries<Entry> {
  const [first, refreshFirst] = useLive(query, seconds, (signal) => read(query, signal));
  const [later, setLater] = useState<Live<readonly Page[]> & { readonly isReading: boolean }>(nothingRead);
  const reading = useRef(new AbortController());
  const forget = () => {
    reading.current.abort();
    reading.current = new AbortController();
    setLater(nothingRead);
  };
  useEffect(() => forget, [query]);

  const pages = first.data === undefined ? [] : [first.data, ...(later.data ?? [])];
  const next = pages.at(-1)?.next;
  const readNext = () => {
    if (next === undefined || later.isReading) return;
    const { signal } = reading.current;
    setLater(({ data = [] }) => ({ data, isReading: true }));
    read(next, signal)
      .then((page) => {
        if (!signal.aborted)
          setLater(({ data = [] }) => ({ data: [...data, page], at: Date.now(), isReading: false }));
      })
      .catch((failure: unknown) => {
        if (!signal.aborted) setLater(({ data = [] }) => ({ data, failure, isReading: false }));
      });
  };
  const entries = useMemo(() => pages.flatMap(select), [first.data, later.data]);
  const failure = first.failure ?? later.failure;
  const at = later.at ?? first.at;
  // A page of a search can be empty although there are others.
  const isUseless = entries.length === 0 && failure === undefined;
  useEffect(() => {
    if (isUseless) readNext();
  }, [isUseless, next]);

  return {
    data: first.data,
    ...(failure !== undefined && { failure }),
    ...(at !== undefined && { at }),
    entries,
    hasMore: next !== undefined,
    isReading: later.isReading || (first.data === undefined && first.failure === undefined),
    readNext,
    refresh: () => {
      forget();
      refreshFirst();
    },
  };
}

const nothingRead = { isReading: false };

interface PagedListProps<Entry> {
  readonly label: string;
  readonly pages: PagedEntries<Entry>;
  readonly keyOf: (entry: Entry, place: number) => string;
  readonly row: (entry: Entry) => ComponentChildren;
  readonly empty: ComponentChildren;
  /** The class of the list. */
  readonly kind: string;
  /** Whether it reads on by itself when its end is scrolled to. */
  readonly readsOn?: boolean;
}

/** A list of the API as a person reads it: what was read, what could not be, that there is nothing, and how to read on. */
export function PagedList<Entry>({
  label,
  pages,
  keyOf,
  row,
  empty,
  kind,
  readsOn = false,
}: PagedListProps<Entry>) {
  const { entries, hasMore, isReading, readNext } = pages;
  const end = useRef<HTMLParagraphElement>(null);
  const canReadOn = entries.length > 0 && hasMore && !isReading && pages.failure === undefined;
  useEffect(() => {
    if (!readsOn || !canReadOn || end.current === null) return;
    const observer = new IntersectionObserver(
      ([{ isIntersecting } = { isIntersecting: false }]) => isIntersecting && readNext(),
      { rootMargin: "400px" },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [canReadOn]);
  return (
    <>
      <Failure live={pages} retry={entries.length > 0 && hasMore ? readNext : pages.refresh} />
      {entries.length > 0 && (
        <ul class={kind} aria-label={label}>
          {entries.map((entry, place) => (
            <li key={keyOf(entry, place)}>{row(entry)}</li>
          ))}
        </ul>
      )}
      {isReading && <Loading />}
      {entries.length === 0 && !isReading && !hasMore && pages.failure === undefined && empty}
      {canReadOn && (
        <p ref={end}>
          <QuietButton onClick={readNext}>{texts.readMore}</QuietButton>
        </p>
      )}
    </>
  );
}
