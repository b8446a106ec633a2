import type { OperationId } from "../../../api/routes.ts";
import type { Finding } from "../../../core/golf/findings.ts";
import { checkEndpointUrl } from "../../../core/webhooks/post-event.ts";
import { type CursorKind, readCursor } from "../../../functions/http/cursor.ts";
import type { Json } from "../../core/golf/sample-cards.ts";

/** A request with its parameters and its body as the document types them. */
export interface TypedRequest {
  readonly operationId: OperationId;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body?: Json;
}

const isRealDate = (text: string) => {
  const [, year = "", month = "", day = ""] = /^(\d{4})-?(\d\d)-?(\d\d)/.exec(text) ?? [];
  const at = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return (
    !Number.isNaN(at.getTime()) && at.toISOString().startsWith(`${year}-${month}-${day}`) && year !== "0000"
  );
};

const dayMilliseconds = 86_400_000;

function areDaysTooMany(from: unknown, to: unknown, today: string): boolean {
  const last = String(to ?? today);
  const days = (Date.parse(last) - Date.parse(String(from ?? last))) / dayMilliseconds;
  return days < 0 || days > 30;
}

/** Whether instants of a replay are out of order, or too far apart. */
function isReplayTooLong({ from, to }: Json, today: string): boolean {
  const before = Date.parse(to ?? today);
  const first = from === undefined ? before - dayMilliseconds : Date.parse(from);
  return first >= before || before - first > 31 * dayMilliseconds;
}

const reservedNames =
  /^(connection|content-(encoding|length|type)|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent|(webhook|proxy)-.*)$/i;

function areHeadersRefused(headers: readonly (readonly [name: string, value: unknown])[]): boolean {
  const names = headers.map(([name]) => name.toLowerCase());
  const isOurs = names.some((name) => reservedNames.test(name));
  return isOurs || new Set(names).size < names.length || headers.flat().join("").length > 2_000;
}

function isMarkerUnidentified({ Marker }: Json): boolean {
  return !(Marker.FullName?.trim() || Marker.LifeTimeID || Marker.UnionID);
}

/** JSON Schema counts characters, and the code UTF-16 units, since a key of DynamoDB has a limit of bytes. */
const isTooLongName = (text: string) => text.length > 256 || !text.isWellFormed();

const cursorKinds: Partial<Record<OperationId, CursorKind>> = {
  listRefusals: "refusals",
  listTournaments: "tournaments",
  listTournamentCards: "tournamentCards",
  listEvents: "events",
  replayWebhook: "events",
};

/** A rule that JSON Schema cannot say. `docs/clients.md` tells vendors each. */
type Rule = (request: TypedRequest, today: string) => boolean;

/** Whether a request breaks each rule, if it is as the document says otherwise. */
const rules: Readonly<Record<string, Rule>> = {
  "cards are asked for by ExternalID, by state or by days": ({ operationId, parameters }) => {
    if (operationId !== "listScorecardStates") return false;
    const { ExternalID, state, from, to, counted, after } = parameters;
    const isOfDays = (from ?? to ?? counted) !== undefined;
    const ways = [(ExternalID as Json)?.length > 0, state !== undefined, isOfDays];
    return ways.filter(Boolean).length !== 1 || (ways[0] === true && after !== undefined);
  },
  "a page begins where the one before ended": ({ operationId, parameters, body }) => {
    const { after, cursor, state } = parameters;
    const place = cursor ?? after ?? (operationId === "replayWebhook" ? body?.after : undefined);
    const ofCards = state === undefined ? "days" : "state";
    const kind = operationId === "listScorecardStates" ? ofCards : cursorKinds[operationId];
    if (place === undefined || kind === undefined) return false;
    if (operationId === "listEvents" && place === "latest") return false;
    const isOfTournament = operationId === "listTournaments" || operationId === "listTournamentCards";
    const [first] = readCursor(kind, String(place)) ?? [];
    return first === undefined || (isOfTournament && !isRealDate(first));
  },
  "days are 31 at most, the first before the last": ({ operationId, parameters, body }, today) => {
    if (operationId === "replayWebhook") return isReplayTooLong(body ?? {}, today);
    const { from, to } = parameters;
    return (from ?? to) !== undefined && areDaysTooMany(from, to, today);
  },
  "a member is named by lifetimeID or unionID": ({ operationId, parameters: { lifetimeID, unionID } }) =>
    operationId === "getGolfer" && !lifetimeID && !unionID,
  "a date is one of the calendar": ({ parameters: { changedsince, inforce, from, to }, body }) =>
    [changedsince, inforce, from, to, body?.from, body?.to].some(
      (text) => Boolean(text) && !isRealDate(String(text)),
    ) ||
    cardsOf(body).some(({ CreateDateTime, Round }) => ![CreateDateTime, Round.StartTime].every(isRealDate)),
  "a marker has a name or a number": ({ body }) => cardsOf(body).some(isMarkerUnidentified),
  "an ExternalID has at most 256 UTF-16 units": ({ operationId, parameters, body }) =>
    cardsOf(body).some(({ ExternalID }) => isTooLongName(ExternalID)) ||
    (operationId === "listRefusals" && isTooLongName(String(parameters.externalId ?? ""))),
  "own headers have other names than ours and each other, and 2,000 characters at most": ({ body }) =>
    body?.headers !== undefined && areHeadersRefused(Object.entries(body.headers)),
  "an endpoint has a public address": ({ body }) =>
    typeof body?.url === "string" &&
    body.roleArn === undefined &&
    checkEndpointUrl(body.url, { allowLoopback: false }) !== undefined,
  "a queue is in SQS and in the account of its role, and its headers are attributes": ({ body }) =>
    body?.roleArn !== undefined && (isNoQueueOf(body) || areNoAttributes(Object.keys(body.headers ?? {}))),
};

/** Whether a URL is given with a role that is no queue's of the same AWS account. */
function isNoQueueOf({ url, roleArn }: Json): boolean {
  const [, account] = /^https:\/\/sqs\.[a-z\d-]+\.amazonaws\.com\/(\d{12})\//.exec(url ?? "") ?? [];
  return url !== undefined && account !== roleArn.split(":")[4];
}

const areNoAttributes = (names: readonly string[]) =>
  names.length > 7 ||
  names.some((name) => !/^[\w-]+(\.[\w-]+)*$/.test(name) || /^(aws|amazon)\./i.test(name));

const cardsOf = (body: unknown): readonly Json[] => (Array.isArray(body) ? body : []);

/** The rules beyond the schema that a request breaks. @param request valid by the schema */
export const brokenRules = (request: TypedRequest, today: string): string[] =>
  Object.keys(rules).filter((name) => rules[name]?.(request, today));

const flags: Readonly<Record<string, boolean>> = { 1: true, 0: false, true: true, false: false };

/** The value that a flag of a query means, in any of its spellings; empty, the flag counts as left out. */
const flagOf = (text: string) => (text === "" ? undefined : (flags[text.toLowerCase()] ?? text));

const inSmallLetters = (text: string, known: readonly string[]) =>
  known.find((name) => name.toLowerCase() === text.trim().toLowerCase()) ?? text;

function sortAsDocumented(text: string, schema: Json): string {
  const names: string[] = /\(([A-Za-z|]+)\)/.exec(schema.pattern)?.[1]?.split("|") ?? [];
  const pairs = text.split(",").map((pair) => {
    const [name = "", ...direction] = pair.split(":");
    return [inSmallLetters(name, names), ...direction].join(":");
  });
  return pairs.join();
}

/**
 * The spelling of a query's value that the document has for it: the union ignores the case of names, and some vendors rely on it.
 *
 * @returns undefined for what counts as left out
 */
export function documentedSpelling(name: string, text: string, schema: Json): unknown {
  switch (name) {
    case "active":
      return flagOf(text);
    case "players":
      return text === "" ? text : flagOf(text);
    case "sort":
    case "sortTee":
      return sortAsDocumented(text, schema);
    case "excludeParams":
      return text.split(",").every((one) => one.trim().toLowerCase() === "tees") ? "tees" : text;
    case "state":
      return text.toLowerCase();
    case "lifetimeID":
    case "unionID":
    case "unionid":
      return text.trim();
    default:
      return text;
  }
}

/** Faults of a card by the register and by rules, not by its form. docs/faults.md describes each. */
const codesBeyond: ReadonlySet<string> = new Set([
  "duplicate_external_id",
  "external_id_reused",
  "field_twice",
  "start_in_future",
  "course_unknown",
  "course_removed",
  "club_mismatch",
  "other_club",
  "version_not_in_force",
  "course_register_incomplete",
  "tee_unknown",
  "tee_ambiguous",
  "tee_rating_mismatch",
  "tee_slope_mismatch",
  "hole_par_mismatch",
  "hole_index_mismatch",
  "stroke_index_repeated",
  "no_hole_played",
  "holes_played_mismatch",
  "total_mismatch",
]);

/** Whether a fault is not of the card's form, but says that it fits neither the register nor its own other fields. */
export function isBeyondSchema({ code, pointer, expected }: Finding): boolean {
  if (codesBeyond.has(code)) return true;
  // A card without CourseID describes a course: with all that this needs, and with possible figures.
  if (pointer.startsWith("/Course/")) {
    if (code === "required") return true;
    if (code === "out_of_range") return / to /.test(String(expected));
  }
  // A list that is longer than any round is a fault of form.
  return /^(holes|strokes|points)_count$/.test(code) && expected !== "at most 18";
}
