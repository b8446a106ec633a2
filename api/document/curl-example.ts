import {
  cardAbroad,
  exampleAttemptId,
  exampleExternalId,
  exampleTournament,
  exampleWebhookId,
} from "../examples.ts";
import type { ShownOperation } from "./shown-operations.ts";

/** The account that an example is for. */
export interface Caller {
  /** Base address with the stage, without a slash at its end. */
  readonly base: string;
  readonly username: string;
  readonly apiSet: string;
}

/** Query of an example, by operation. */
const queries: Readonly<Record<string, string>> = {
  listCourses: "?active=1&sort=Name:0",
  getGolfer: "?unionID=1001-1",
  getPlayerRecord: "?unionid=1001-1",
  listScorecardStates: `?ExternalID=${exampleExternalId}`,
};

/** Body of an example, by operation. No example submits a card, since it would reach the union. */
const bodies: Readonly<Record<string, string>> = {
  submitScorecards: "[]",
  submitExchangedScorecards: "[]",
  validateScorecards: cardText(),
  createWebhook: '{"url": "https://scores.example/webhooks"}',
  changeWebhook: '{"types": ["scorecard.rejected"]}',
};

const emptyArray = "An empty array changes nothing: put your cards in.";
const unknownCard = "Put in the ExternalID of a card of yours; none has this name until you send one.";

const unknownTournament = "Put in the TournamentName of cards of yours.";
const unknownWebhook = "Put in the ID of a webhook endpoint of yours.";
const unknownAttempt = "Put in the IDs of a webhook endpoint of yours, and of one of its attempts.";

/** What to replace in an example before it does something useful, by operation. */
const notes: Readonly<Record<string, string>> = {
  getGolfer: "Put in a member's UnionID, or lifetimeID=…, or both.",
  getGolferByAccessToken: "Put in the access token of a player who gave consent.",
  getPlayerRecord: "Put in the ID of the player's club and the UnionID there.",
  submitScorecards: emptyArray,
  submitExchangedScorecards: emptyArray,
  getScorecardState: unknownCard,
  getScorecard: unknownCard,
  withdrawScorecard: unknownCard,
  deliverScorecard: unknownCard,
  createWebhook: "Put in the address of your endpoint.",
  getWebhook: unknownWebhook,
  changeWebhook: unknownWebhook,
  removeWebhook: unknownWebhook,
  testWebhook: unknownWebhook,
  rotateWebhookSecret: unknownWebhook,
  replayWebhook: unknownWebhook,
  listWebhookAttempts: unknownWebhook,
  getWebhookAttempt: unknownAttempt,
  resendWebhookEvent: unknownAttempt,
  getTournament: unknownTournament,
  listTournamentCards: unknownTournament,
};

/** What to replace in an example; undefined if it works as it stands. */
export function findNote({ operationId }: Pick<ShownOperation, "operationId">): string | undefined {
  return notes[operationId];
}

/**
 * An example that can be pasted into a shell. curl asks for the password, so that it is in no history. If an ID is
 * needed, the example takes that of the first club or course.
 */
export function curlExample(operation: ShownOperation, { base, username, apiSet }: Caller): string {
  const { method, path, operationId, playerToken } = operation;
  const curl = `curl --user ${quoted(username)}`;
  const root = `${base}/${apiSet}`;
  const first = (address: string, field: string) =>
    `$(${curl} --silent ${address} | grep -o '"${field}":"[^"]*"' | head -n 1 | cut -d '"' -f 4)`;
  const club = first(`'${root}/Clubs'`, "ID");
  const values: Readonly<Record<string, string>> = {
    apiset: apiSet,
    externalId: exampleExternalId,
    webhookId: exampleWebhookId,
    attemptId: exampleAttemptId,
    tournament: encodeURIComponent(exampleTournament),
  };
  const address = base + path.replace(/\{(\w+)\}/g, (parameter, name: string) => values[name] ?? parameter);
  const query = queries[operationId] ?? "";
  const body = bodies[operationId];
  const options = [
    // curl sends GET, or POST if there is a body.
    ...(method === (body === undefined ? "get" : "post") ? [] : [`--request ${method.toUpperCase()}`]),
    ...(playerToken === true ? ["--header 'Token: the-access-token'"] : []),
    ...(body === undefined ? [] : ["--header 'Content-Type: application/json'", `--data '${body}'`]),
  ].map((option) => ` \\\n  ${option}`);
  if (!address.includes("{clubId}")) return `${curl} '${address}${query}'${options.join("")}`;
  const steps = [`club=${club}`];
  if (address.includes("{courseId}")) {
    steps.push(`course=${first(`"${root}/clubs/$club/courses"`, "TemplateID")}`);
  }
  const named = address.replace("{clubId}", "$club").replace("{courseId}", "$course");
  // One command, since curl would read a pasted second one as the password.
  return `${steps.join(" &&\n")} &&\n${curl} "${named}${query}"`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** An array of one card, with a line for each hole. */
function cardText(): string {
  const { Holes, ...course } = cardAbroad.Course;
  const holes = Holes.map((hole) => `      ${JSON.stringify(hole)}`).join(",\n");
  const fields = Object.entries({ ...cardAbroad, Course: course }).map(([name, value]) =>
    name === "Course"
      ? `  "Course": ${JSON.stringify(value).slice(0, -1)}, "Holes": [\n${holes}\n  ]}`
      : `  "${name}": ${JSON.stringify(value)}`,
  );
  return `[{\n${fields.join(",\n")}\n}]`;
}
