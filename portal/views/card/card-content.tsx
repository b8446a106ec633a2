import type { CardStatus, StoredScorecard } from "@scorecard-pipeline/scorecards-client";
import { type CardField, type PlacedFinding, placeFindings } from "../../base/finding-places.ts";
import { formatHandicap, formatTenThousandths, formatWallClock } from "../../base/format.ts";
import { Fact } from "../../components/fact.tsx";
import { Meaning } from "../../components/meaning.tsx";
import { Panel } from "../../components/panel.tsx";
import { ForDeveloper, namePlace } from "../../components/refusal-fault.tsx";
import { Values } from "../../components/values.tsx";
import { texts } from "../../texts/texts.ts";
import { ScorecardTable, WarningMark } from "./scorecard-table.tsx";

/** Each warning with what to do, under the number that stands beside its place. */
function Warnings({
  warnings,
  card,
}: {
  readonly warnings: readonly PlacedFinding[];
  readonly card: StoredScorecard;
}) {
  if (warnings.length === 0) return null;
  const formatPlace = ({ place, finding }: PlacedFinding) =>
    place.kind === "hole"
      ? texts.card.hole(card.derivation.holes[place.index]?.number ?? place.index + 1)
      : namePlace(finding.pointer);
  return (
    <Panel id="warnings" title={texts.card.warnings}>
      <ol class="findings">
        {warnings.map((warning) => {
          const { number, finding } = warning;
          return (
            <li key={number} id={`warning-${number}`} tabIndex={-1}>
              <p>
                <strong>{formatPlace(warning)}</strong>: <Meaning code={finding.code} />
              </p>
              <Values finding={finding} />
              <ForDeveloper finding={finding} />
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}

export function CardContent({
  card: answer,
  status,
}: {
  readonly card: StoredScorecard;
  readonly status: CardStatus;
}) {
  const { card, derivation } = answer;
  const { Course, Round, Result, Player, Marker } = card;
  // The state's warnings include those that came with the delivery.
  const warnings = placeFindings(status.warnings ?? answer.warnings);
  const marks = (field: CardField) =>
    warnings
      .filter(({ place }) => place.kind === "field" && place.field === field)
      .map((warning) => <WarningMark key={warning.number} warning={warning} />);
  interface personProps {
    FullName?: unknown;
    UnionID?: unknown;
    LifeTimeID?: unknown;
  }

  const person = ({ FullName, UnionID, LifeTimeID }: personProps) =>
    [FullName, UnionID ?? LifeTimeID].filter((text) => typeof text === "string" && text !== "").join(", ") ||
    "–";
  const totals = texts.card.totals;
  const playing = card.PHCP === card.CourseHandicap ? undefined : card.PHCP;
  return (
    <>
      <Panel class="panel scorecard" id="scorecard" title={texts.card.scorecard}>
        <dl class="facts">
          <Fact name={texts.card.player} marks={marks("player")}>
            {person(Player)}
          </Fact>
          <Fact name={texts.card.marker} marks={marks("marker")}>
            {person(Marker)}
          </Fact>
          <Fact name={texts.card.course} marks={marks("course")}>
            {[Course.Name, Course.ClubName].filter(Boolean).join(", ") || "–"}
          </Fact>
          <Fact name={texts.card.tee} marks={marks("tee")}>
            {[
              Course.TeeName,
              texts.card.par(Course.TeePar),
              texts.card.rating(formatTenThousandths(Course.TeeRating), String(Course.TeeSlope ?? "–")),
            ]
              .filter(Boolean)
              .join(", ")}
          </Fact>
          <Fact name={texts.card.round} marks={marks("round")}>
            {[
              formatWallClock(Round.StartTime),
              texts.card.holes(Round.HolesPlayed),
              Round.TournamentName ?? texts.card.roundTypes[Round.RoundType],
              Result.IsQualifying ? texts.card.qualifying : texts.card.notQualifying,
            ]
              .filter(Boolean)
              .join(", ")}
          </Fact>
          <Fact name={texts.card.handicapIndex} marks={marks("handicapIndex")}>
            {formatHandicap(Number(card.HCP) / 10_000)}
          </Fact>
          <Fact name={texts.card.courseHandicap} marks={marks("courseHandicap")}>
            {formatHandicap(card.CourseHandicap)}
          </Fact>
          {playing !== undefined && (
            <Fact name={texts.card.playingHandicap} marks={marks("playingHandicap")}>
              {formatHandicap(playing)}
            </Fact>
          )}
        </dl>
        <ScorecardTable card={card} derivation={derivation} warnings={warnings} />
        <dl class="totals">
          <Fact name={totals.strokes} marks={marks("totalStrokes")}>
            {Result.TotalStrokes === 0 ? <small>{totals.strokesPickedUp}</small> : Result.TotalStrokes}
          </Fact>
          <Fact name={totals.points} marks={marks("totalPoints")}>
            {Result.TotalPoints}
          </Fact>
          <Fact name={totals.netDoubleBogey} marks={marks("netDoubleBogey")}>
            {Result.NetDoubleBogeyGross ?? <small>{totals.netDoubleBogeyNone}</small>}
          </Fact>
          {derivation.scoreDifferential !== null && (
            <Fact name={totals.scoreDifferential}>
              {formatTenThousandths(derivation.scoreDifferential)}
              {status.record?.differential !== undefined &&
                status.record.differential !== derivation.scoreDifferential && (
                  <small>
                    {" "}
                    {totals.unionsDifferential(formatTenThousandths(status.record.differential))}
                  </small>
                )}
            </Fact>
          )}
        </dl>
        <p class="quiet legend">
          {texts.card.rows.received}: {texts.card.rowNotes.received}. {texts.card.rows.counted}:{" "}
          {texts.card.rowNotes.counted}.
        </p>
      </Panel>
      <Warnings warnings={warnings} card={answer} />
    </>
  );
}
