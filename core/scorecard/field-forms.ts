import { longestExternalId } from "./external-id.ts";

const guid = "a GUID, 8-4-4-4-12 hexadecimal digits";
const timestamp = "a real date and time of the form yyyymmddThhmmss, for instance 20250622T145700";
const part = "an object";

/** What a field must be, in words that follow "must be", by its path; with a slash at its end, any entry of a list. */
const forms: Readonly<Record<string, string>> = {
  ID: guid,
  CreateDateTime: timestamp,
  ExternalID: `a text of 1 to ${longestExternalId} characters of your own that names the card`,
  HCP: 'the Handicap Index times 10,000 from -500000 to 2000000, a whole number as text or number: 12.4 is "124000"',
  Course: part,
  "Course/CourseID": guid,
  "Course/ExternalID": "a text",
  "Course/ClubID": guid,
  "Course/Country": "an ISO 3166 two-letter code, for instance DK",
  "Course/TeeID": guid,
  "Course/TeeRating": 'the Course Rating times 10,000, a whole number as text or number: 71.8 is "718000"',
  "Course/TeeSlope": "the Slope Rating, a whole number as number or text, for instance 119",
  "Course/Holes": "a list with one object per hole",
  "Course/Holes/": part,
  Round: part,
  "Round/RoundType": "1 (general play) or 2 (tournament)",
  "Round/StartTime": timestamp,
  Result: part,
  "Result/Points": "a list with the points of each hole",
  "Result/Strokes": "a list with the strokes of each hole, 0 for picked up and -1 for not played",
  "Result/Strokes/": "the strokes of a hole, a whole number; 0 for picked up, -1 for not played",
  "Result/IsQualifying": "true or false",
  Player: part,
  "Player/LifeTimeID": "of the form xxxxxx-xxx",
  "Player/UnionID": "the club's number and the member's number with a hyphen between, for instance 1016-1",
  Marker: "an object with at least one of FullName, LifeTimeID and UnionID",
  "Marker/LifeTimeID": "of the form xxxxxx-xxx",
  "Marker/UnionID": "the club's number and the member's number with a hyphen between, for instance 1016-1",
};

const texts = [
  "Comment",
  "ClubName",
  "Name",
  "TeeName",
  "TournamentName",
  "FullName",
  "HomeClubName",
  "HomeClubCountry",
];

/**
 * What a field of a card must be, in words that follow "must be".
 *
 * @param field path of the field, with the place of an entry where it goes through a list: `Course/Holes/3/Par`
 */
export function fieldForm(field: string): string {
  const form = forms[field] ?? forms[field.replace(/\d+$/, "")];
  if (form !== undefined) return form;
  return texts.includes(field.split("/").at(-1) ?? "") ? "a text" : "a whole number";
}
