import { tournamentLinks } from "./links.ts";
import {
  jsonResponse,
  type Operation,
  type Parameter,
  problemResponse,
  query,
  requestOf,
} from "./operation.ts";
import { schemaOf } from "./schema.ts";

const day = { type: "string", format: "date" };
const days: readonly Parameter[] = [
  query("from", "First day of play, in the union's time zone; 30 days before `to` if left out.", day),
  query("to", "Last day of play, at most 31 days from the first; today if left out.", day),
];
const after = query("after", "Start of the page, from `next` of the previous page.", { type: "string" });

/** A vendor's tournaments: the cards that have the same TournamentName, by day of play. */
export const tournamentOperations: readonly Operation[] = [
  {
    ...requestOf("listTournaments"),
    summary: "Your tournaments",
    description:
      "The cards of each TournamentName and day of play, counted as they are now, up to 100 tournaments a page. Counts follow within " +
      "seconds.",
    parameters: [...days, after],
    responses: {
      200: jsonResponse("The tournaments.", schemaOf("TournamentList"), {
        links: tournamentLinks("$response.body#/tournaments/0/id"),
      }),
    },
  },
  {
    ...requestOf("getTournament"),
    summary: "What became of a tournament's cards",
    description:
      "By day, round and state, with warnings, and the cards that were refused and not accepted since, with their faults, however " +
      "long after the last day.",
    parameters: days,
    responses: {
      200: jsonResponse("The tournament.", schemaOf("Tournament"), {
        links: tournamentLinks("$response.body#/id"),
      }),
      404: problemResponse("No card of this tournament was sent on these days."),
    },
  },
  {
    ...requestOf("listTournamentCards"),
    summary: "A tournament's cards",
    description:
      "Its accepted cards with their states, up to 500 a page. A card that left the tournament and " +
      "came back may come on two pages.",
    parameters: [...days, after],
    responses: { 200: jsonResponse("The cards.", schemaOf("TournamentCardList")) },
  },
];
