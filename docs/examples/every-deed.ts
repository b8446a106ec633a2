/** Does each deed of `scorecards-client conformance` on the local run within a minute, and goes on taking webhooks. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { createClient, type Scorecard, verifyWebhook } from "@scorecard-pipeline/scorecards-client";

const { SCORECARDS_API: api = "", PORT = "8081", ...env } = process.env;
const { SCORECARDS_USERNAME: username = "", SCORECARDS_PASSWORD: password = "" } = env;
const client = createClient({ api, username, password });
const strokes = [6, 4, 5, 5, 4, 6, 3, 6, 5, 5, 4, 5, 6, 4, 4, 5, 4, 5];
const front = strokes.map((taken, hole) => (hole < 9 ? taken : -1));
const Holes = strokes.map((_, hole) => ({ Number: hole + 1, Par: 4, Index: hole + 1 }));
const links = { Name: "Links", Country: "SE", TeeName: "57", TeeRating: "718000", TeeSlope: 119, Holes };
const [run, { timeZone }] = [Date.now(), await client.activity()];
const dayOf = (at: number) => new Date(at).toLocaleDateString("sv", { timeZone }).replaceAll("-", "");
const [today, yesterday] = [dayOf(run), dayOf(run - 86_400_000)];
let [secret, isRestarted, minute] = ["", false, 10];

/** A card of a round of its own. */
function card(name: string, change: object = {}, Strokes = strokes, round: object = {}): Scorecard {
  const Round = { HolesPlayed: 18, RoundType: 1 as const, StartTime: `${today}T08${minute++}00`, ...round };
  const people = { Player: { UnionID: "32-1" }, Marker: { UnionID: "32-2" } };
  const Course = { TeeID: "BFE01603-9F66-5724-83DD-7E850840E082" };
  const played = { HCP: "78000", CourseHandicap: 11, Course };
  const named = { ExternalID: `${name} ${run} ${minute}`, CreateDateTime: Round.StartTime };
  return { ...named, ...people, ...played, Result: { Strokes, IsQualifying: true }, Round, ...change };
}
async function play(one: Scorecard, change: object = {}): Promise<void> {
  await client.submit([{ ...one, ...change }]);
  for await (const _ of client.follow([one.ExternalID], { maxPauseSeconds: 1 }));
}
const correction = { Result: { Strokes: strokes.with(0, 7), IsQualifying: true } };
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const signed = { headers: request.headers, body: await buffer(request), secret };
  const isGenuine = await verifyWebhook(signed).then(Boolean, () => false);
  response.writeHead(isGenuine ? (isRestarted ? 204 : 503) : 401).end();
  isRestarted ||= isGenuine;
}
createServer((request, response) => void receive(request, response)).listen(Number(PORT), "127.0.0.1");
const { id, ...endpoint } = await client.createWebhook({ url: `http://127.0.0.1:${PORT}/` });
secret = endpoint.secret;
const cup = { RoundType: 2, TournamentName: "Cup", TournamentRoundNumber: 1 };
await client.submit(strokes.map(() => card("cup", {}, strokes, cup)));
const plain = [card("links", { Course: links }), card("nine", {}, front, { HolesPlayed: 9 })];
plain.push(card("plus", { HCP: "-17000", CourseHandicap: -2 }), card("picked up", {}, strokes.with(14, 0)));
plain.push(card("late", {}, strokes, { StartTime: `${yesterday}T080000` }), card("sandbox:not-recorded"));
plain.push(card("sandbox:busy"), card("sandbox:slow"));
const wrong = [card("too short", {}, strokes.slice(1)), card("mistyped"), card("sandbox:rejected")];
const [lost, nobody] = [card("sandbox:undelivered"), card("sandbox:player-unknown")];
const mistake = card("sandbox:slow");
await Promise.all([
  ...plain.map((one) => play(one)),
  ...wrong.map((one) => play(one).then(() => play(one, correction))),
  play(nobody).then(() => play(nobody, { Player: { UnionID: "32-3" } })),
  play(lost).then(() => client.deliver(lost.ExternalID)),
  client.submit([mistake]).then(() => client.withdraw(mistake.ExternalID)),
]);
const attempts = await client.webhookAttempts(id);
const event = attempts.find(({ taken, type }) => taken && type === "scorecard.rejected");
if (event !== undefined) await client.resendWebhookEvent(id, event.id);
console.log("done");
