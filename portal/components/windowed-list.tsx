import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Rows that are made beyond each edge of the window, so that scrolling and the Tab key find them. */
const beyond = 8;

/**
 * A list of any length that scrolls with the page. Only rows near the window are in the document, so a hundred thousand scroll like
 * twenty; a screen reader is told how many there are.
 *
 * @param onEnd called when the last rows come near
 */
export function WindowedList<Entry>({
  label,
  entries,
  total,
  keyOf,
  row,
  onEnd,
}: {
  readonly label: string;
  readonly entries: readonly Entry[];
  /** How many entries there are; undefined if it is not known yet. */
  readonly total: number | undefined;
  readonly keyOf: (entry: Entry, place: number) => string;
  readonly row: (entry: Entry) => ComponentChildren;
  readonly onEnd: () => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  const [range, setRange] = useState({ first: 0, last: 40, height: 48 });
  const end = useRef(onEnd);
  end.current = onEnd;

  useEffect(() => {
    let frame = 0;
    const measure = () => {
      frame = 0;
      const element = list.current;
      if (element === null) return;
      // The style has one height for wide and one for narrow windows.
      const height = Number.parseFloat(getComputedStyle(element).getPropertyValue("--row-height")) || 48;
      const top = -element.getBoundingClientRect().top;
      const first = Math.max(0, Math.floor(top / height) - beyond);
      const last = Math.ceil((top + innerHeight) / height) + beyond;
      setRange((before) =>
        before.first === first && before.last === last && before.height === height
          ? before
          : { first, last, height },
      );
      if (last >= entries.length) end.current();
    };
    const onScroll = () => {
      if (frame === 0) frame = requestAnimationFrame(measure);
    };
    measure();
    addEventListener("scroll", onScroll, { passive: true });
    addEventListener("resize", onScroll);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", onScroll);
      removeEventListener("resize", onScroll);
    };
  }, [entries.length]);

  const { first, last, height } = range;
  return (
    <ul class="rows" aria-label={label} ref={list} style={{ height: `${entries.length * height}px` }}>
      {entries.slice(first, last).map((entry, place) => (
        <li
          key={keyOf(entry, first + place)}
          aria-setsize={total ?? -1}
          aria-posinset={first + place + 1}
          style={{ transform: `translateY(${(first + place) * height}px)` }}
        >
          {row(entry)}
        </li>
      ))}
    </ul>
  );
}
