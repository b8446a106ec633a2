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

/** What polling has found. */
type Polled<Data> = { readonly data: Data; readonly at: number } | { readonly failure: unknown };

/**
 * Reads something now, and again and again while the page is visible.
 *
 * @param seconds between two reads at first; 0 to read it once
 * @returns functions that read at once, and that end it
 */
function startPolling<Data>(
  seconds: number,
  read: (signal: AbortSignal) => Promise<Data>,
  show: (found: Polled<Data>) => void,
) {
  const aborted = new AbortController();
  let reading = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = 0;
  let isReading = false;
  let [unchanged, failures, known] = [0, 0, ""];
  const wake = () => {
    clearTimeout(timer);
    if (document.hidden || seconds === 0 || aborted.signal.aborted) return;
    timer = setTimeout(() => void readOnce(), Math.max(0, dueAt - Date.now()));
  };
  const schedule = (failure?: unknown) => {
    dueAt = Date.now() + choosePauseSeconds(seconds, { unchanged, failures, failure }) * 1000;
    wake();
  };
  const readOnce = async () => {
    if (isReading) return;
    isReading = true;
    clearTimeout(timer);
    const { signal } = reading;
    try {
      const data = await read(AbortSignal.any([aborted.signal, signal]));
      if (aborted.signal.aborted || signal.aborted) return;
      const text = JSON.stringify(data);
      unchanged = text === known ? unchanged + 1 : 0;
      known = text;
      failures = 0;
      show({ data, at: Date.now() });
      schedule();
    } catch (failure) {
      if (aborted.signal.aborted || signal.aborted) return;
      failures += 1;
      show({ failure });
      schedule(failure);
    } finally {
      if (!signal.aborted) isReading = false;
    }
  };
  document.addEventListener("visibilitychange", wake, { signal: aborted.signal });
  void readOnce();
  return {
    readNow() {
      unchanged = 0;
      // Abort reads that began before the action: their answer may show the card's previous state.
      reading.abort();
      reading = new AbortController();
      isReading = false;
      void readOnce();
    },
    stop() {
      aborted.abort();
      clearTimeout(timer);
    },
  };
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
    const polling = startPolling(
      seconds,
      (signal) => latestRead.current(signal),
      (found) =>
        setLive((before) =>
          "data" in found ? { key, ...found } : { ...(before.key === key ? before : { key }), ...found },
        ),
    );
    readNow.current = polling.readNow;
    return polling.stop;
  }, [key, seconds]);

  // A result that was read for another key is not shown.
  const refresh = useCallback(() => readNow.current(), []);
  return [live.key === key ? live : {}, refresh];
}
