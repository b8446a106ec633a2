import { ApiError } from "@scorecard-pipeline/scorecards-client";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** The latest result of reading something again and again. */
export interface Live<Data> {
  /** Absent until it was read once. Kept when a later read fails. */
  readonly data?: Data;
  /** Why the last read failed; absent if it did not. */
  readonly failure?: unknown;
  /** When `data` was read, milliseconds since 1970. */
  readonly at?: number;
}

const maxPauseSeconds = 300;
const maxUnchangedPauseSeconds = 60;

/**
 * How long to wait before something is read again. Unchanged data is read less often, down to once a minute. After failures
 * the waits are longer still, and at least the API's Retry-After.
 *
 * @param seconds between the first two reads
 */
export function choosePauseSeconds(
  seconds: number,
  {
    unchanged,
    failures,
    failure,
  }: { readonly unchanged: number; readonly failures: number; readonly failure?: unknown },
): number {
  if (failures === 0)
    return Math.min(Math.max(seconds, maxUnchangedPauseSeconds), seconds * 1.5 ** unchanged);
  const asked = failure instanceof ApiError ? (failure.retryAfterMilliseconds ?? 0) / 1000 : 0;
  return Math.max(asked, Math.min(maxPauseSeconds, seconds * 2 ** failures));
}

/**
 * Reads something now, and again and again while the page is visible.
 *
 * @param key names what is read: with another key, it is forgotten and read again
 * @param seconds between two reads at first; 0 to read it once
 * @returns the latest result, and a function that reads it at once
 */
export function useLive<Data>(
  key: string,
  seconds: number,
  read: (signal: AbortSignal) => Promise<Data>,
): readonly [Live<Data>, () => void] {
  const [live, setLive] = useState<Live<Data> & { readonly key: string }>({ key });
  const latestRead = useRef(read);
  latestRead.current = read;
  const readNow = useRef<() => void>(() => undefined);

  useEffect(() => {
    const aborted = new AbortController();
    let reading = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let dueAt = 0;
    let isReading = false;
    let unchanged = 0;
    let failures = 0;
    let known = "";

    const schedule = (failure?: unknown) => {
      if (aborted.signal.aborted || seconds === 0) return;
      const wait = choosePauseSeconds(seconds, { unchanged, failures, failure }) * 1000;
      dueAt = Date.now() + wait;
      clearTimeout(timer);
      if (!document.hidden) timer = setTimeout(() => void readOnce(), wait);
    };
    const readOnce = async () => {
      if (isReading) return;
      isReading = true;
      clearTimeout(timer);
      const { signal } = reading;
      try {
        const data = await latestRead.current(AbortSignal.any([aborted.signal, signal]));
        if (aborted.signal.aborted || signal.aborted) return;
        const text = JSON.stringify(data);
        unchanged = text === known ? unchanged + 1 : 0;
        known = text;
        failures = 0;
        setLive({ key, data, at: Date.now() });
        schedule();
      } catch (failure) {
        if (aborted.signal.aborted || signal.aborted) return;
        failures += 1;
        setLive((before) => ({ ...(before.key === key ? before : { key }), failure }));
        schedule(failure);
      } finally {
        if (!signal.aborted) isReading = false;
      }
    };
    const onVisibility = () => {
      clearTimeout(timer);
      if (document.hidden || seconds === 0) return;
      timer = setTimeout(() => void readOnce(), Math.max(0, dueAt - Date.now()));
    };
    readNow.current = () => {
      unchanged = 0;
      // Abort reads that began before the action: their answer may show the card's previous state.
      reading.abort();
      reading = new AbortController();
      isReading = false;
      void readOnce();
    };
    document.addEventListener("visibilitychange", onVisibility);
    void readOnce();
    return () => {
      aborted.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisibility);
    };
  }, [key, seconds]);

  // A result that was read for another key is not shown.
  const refresh = useCallback(() => readNow.current(), []);
  return [live.key === key ? live : {}, refresh];
}
