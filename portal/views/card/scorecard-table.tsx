import type { Derivation, FilledScorecard, HoleDerivation } from "@scorecard-pipeline/scorecards-client";
import type { PlacedFinding } from "../../base/finding-places.ts";
import { texts } from "../../texts/texts.ts";

const half = 9;

/** How golfers call a result, and how a scorecard draws it: a circle under par, a square over. */
function classifyScore({ strokes, par }: HoleDerivation): keyof typeof texts.card.symbols | undefined {
  if (strokes <= 0) return undefined;
  const overPar = strokes - par;
  if (overPar <= -2) return "eagle";
  if (overPar === -1) return "birdie";
  if (overPar === 0) return "par";
  return overPar === 1 ? "bogey" : "double";
}

const sum = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

interface ScorecardTableProps {
  readonly card: FilledScorecard;
  readonly derivation: Derivation;
  readonly warnings: readonly PlacedFinding[];
}

/** The holes of a card as a golfer knows them, nine to a table. */
export function ScorecardTable({ card, derivation, warnings }: ScorecardTableProps) {
  const { holes } = derivation;
  const points = card.Result.Points;
  const nines = holes.length > half ? [holes.slice(0, half), holes.slice(half)] : [holes];
  return (
    <div class="nines">
      {nines.map((nine, place) => (
        <Nine
          key={place}
          holes={nine}
          first={place * half}
          points={points}
          total={nines.length === 1 ? "" : place === 0 ? texts.card.out : texts.card.in}
          warnings={warnings}
        />
      ))}
    </div>
  );
}

interface NineProps {
  readonly holes: readonly HoleDerivation[];
  /** Index of the first hole on the card. */
  readonly first: number;
  readonly points: readonly number[];
  readonly total: string;
  readonly warnings: readonly PlacedFinding[];
}

function Nine({ holes, first, points, total, warnings }: NineProps) {
  const { rows } = texts.card;
  const played = holes.filter(({ strokes }) => strokes > 0);
  const pickedUp = holes.some(({ strokes }) => strokes === 0);
  const number = ({ number: of }: HoleDerivation) => of;
  const name = texts.card.holesNamed(Math.min(...holes.map(number)), Math.max(...holes.map(number)));
  const rest = [
    [rows.par, ({ par }: HoleDerivation) => par, sum(holes.map(({ par }) => par))],
    [rows.index, ({ strokeIndex }: HoleDerivation) => strokeIndex, ""],
  ] as const;
  const counts = holes.map(({ counted }) => counted);
  return (
    <table class="nine" aria-label={name}>
      <thead>
        <tr>
          <th scope="row">{rows.hole}</th>
          {holes.map((hole, place) => {
            const here = warnings.filter(
              (one) => one.place.kind === "hole" && one.place.index === first + place,
            );
            return (
              <th scope="col" key={place} class={here.length > 0 ? "marked" : ""}>
                {hole.number}
                {here.map((one) => (
                  <WarningMark key={one.number} warning={one} />
                ))}
              </th>
            );
          })}
          <th scope="col">{total === "" ? texts.card.totals.strokes : total}</th>
        </tr>
      </thead>
      <tbody>
        {rest.map(([label, value, sum]) => (
          <tr key={label} class="minor">
            <th scope="row">{label}</th>
            {holes.map((hole, place) => (
              <td key={place}>{value(hole)}</td>
            ))}
            <td class="sum">{sum}</td>
          </tr>
        ))}
        <tr class="strokes">
          <th scope="row">{rows.strokes}</th>
          {holes.map((hole, place) => (
            <td key={place}>
              <Strokes hole={hole} />
            </td>
          ))}
          <td class="sum">{pickedUp ? "–" : sum(played.map(({ strokes }) => strokes))}</td>
        </tr>
        <tr class="minor">
          <th scope="row">{rows.received}</th>
          {holes.map(({ receivedOffPlayingHandicap }, place) => (
            <td key={place}>{receivedOffPlayingHandicap === 0 ? "" : receivedOffPlayingHandicap}</td>
          ))}
          <td class="sum">
            {sum(holes.map(({ receivedOffPlayingHandicap }) => receivedOffPlayingHandicap))}
          </td>
        </tr>
        <tr>
          <th scope="row">{rows.points}</th>
          {holes.map((hole, place) => (
            <td key={place}>{points[first + place] ?? hole.points}</td>
          ))}
          <td class="sum">{sum(holes.map((hole, place) => points[first + place] ?? hole.points))}</td>
        </tr>
        <tr class="minor">
          <th scope="row">{rows.counted}</th>
          {holes.map(({ counted, strokes }, place) => (
            <td key={place} class={counted !== null && counted !== strokes ? "capped" : ""}>
              {counted ?? "·"}
            </td>
          ))}
          <td class="sum">{counts.includes(null) ? "–" : sum(counts.map((counted) => counted ?? 0))}</td>
        </tr>
      </tbody>
    </table>
  );
}

function Strokes({ hole }: { readonly hole: HoleDerivation }) {
  if (hole.strokes < 0) return <Spoken shown="·" said={texts.card.notPlayed} />;
  if (hole.strokes === 0) return <Spoken shown="P" said={texts.card.pickedUp} />;
  const symbol = classifyScore(hole);
  return (
    <span class={`score ${symbol ?? ""}`}>
      {hole.strokes}
      {symbol !== undefined && symbol !== "par" && <span class="said">, {texts.card.symbols[symbol]}</span>}
    </span>
  );
}

const Spoken = ({ shown, said }: { readonly shown: string; readonly said: string }) => (
  <span class="score none" title={said}>
    <span aria-hidden="true">{shown}</span>
    <span class="said">{said}</span>
  </span>
);

/** A link beside a hole or a field, to the warning about it. */
export function WarningMark({ warning }: { readonly warning: PlacedFinding }) {
  const { number, finding } = warning;
  return (
    <a
      class="mark"
      href={`#warning-${number}`}
      aria-label={texts.card.warningAt(number, finding.code)}
      onClick={(event) => {
        // The address stays the card's.
        event.preventDefault();
        document.getElementById(`warning-${number}`)?.focus();
      }}
    >
      {number}
    </a>
  );
}
