import { formatDay, formatTenThousandths } from "../../base/format.ts";
import type { DrawnCard } from "../../tables/drawn-cards.ts";
import { words } from "../../texts/tables/texts.ts";

const names = words.columns;

/** A card as it stands on paper, to be compared with that. */
export function CardDrawing({ card }: { readonly card: DrawnCard }) {
  const { row, name: written, registered, player, day, tee, index, courseHandicap, holes } = card;
  const name = registered || written;
  const half = holes.length > 9 ? 9 : holes.length;
  const nines = [holes.slice(0, half), holes.slice(half)].filter((nine) => nine.length > 0);
  return (
    <figure class="card-drawing">
      <figcaption>
        <strong>{name === "" ? player : `${name} (${player})`}</strong>{" "}
        <span class="quiet">
          {name !== written && `“${written}” · `}
          {words.rows.row(String(row))} · {day === "" ? "–" : formatDay(day)} · {tee} ·{" "}
          {formatTenThousandths(index as string | undefined)} / {String(courseHandicap ?? "–")}
        </span>
      </figcaption>
      {nines.map((nine, place) => (
        <section
          key={place}
          class="figures-scroll"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          tabIndex={0}
          aria-label={`${name === "" ? player : name}, ${place * half + 1}–${place * half + nine.length}`}
        >
          <table class="figures">
            <thead>
              <tr>
                <th scope="row">{names.hole}</th>
                {nine.map((_, hole) => (
                  <th key={hole} scope="col">
                    {place * half + hole + 1}
                  </th>
                ))}
                <th scope="col">{names.sum}</th>
              </tr>
            </thead>
            <tbody>
              {(["par", "strokes"] as const).map((row) => (
                <tr key={row}>
                  <th scope="row">{names[row]}</th>
                  {nine.map(({ [row]: count = -1 }, hole) => (
                    <td key={hole}>{count > 0 ? count : count === 0 ? "x" : "–"}</td>
                  ))}
                  <td>{nine.reduce((sum, { [row]: count = 0 }) => sum + Math.max(0, count), 0)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </figure>
  );
}
