/** How the text of a cell becomes the value of a field. */
export type ValueKind = "text" | "guid" | "number" | "boolean" | "time" | "tenThousandths" | "list";

/**
 * Fields of a card that a table can have, by their path. A test compares them with the card's own table, which a browser cannot
 * load: its checks are generated code, and the portal's policy forbids that.
 */
export const cardFields: ReadonlyMap<string, ValueKind> = new Map(
  Object.entries({
    CreateDateTime: "time",
    ExternalID: "text",
    HCP: "tenThousandths",
    CourseHandicap: "number",
    PHCP: "number",
    Comment: "text",
    "Course/TeeID": "guid",
    "Round/HolesPlayed": "number",
    "Round/RoundType": "number",
    "Round/StartTime": "time",
    "Round/TournamentName": "text",
    "Round/TournamentRoundNumber": "number",
    "Result/Strokes": "list",
    "Result/IsQualifying": "boolean",
    "Player/FullName": "text",
    "Player/HomeClubName": "text",
    "Player/LifeTimeID": "text",
    "Player/UnionID": "text",
    "Marker/FullName": "text",
    "Marker/UnionID": "text",
  } as const satisfies Record<string, ValueKind>),
);

/** Fields that every card needs. It also needs a tee and a marker, which several fields can name. */
export const requiredFields: readonly string[] = [
  "CreateDateTime",
  "ExternalID",
  "HCP",
  "CourseHandicap",
  "Round/HolesPlayed",
  "Round/RoundType",
  "Round/StartTime",
  "Result/Strokes",
  "Result/IsQualifying",
  "Player/UnionID",
];
