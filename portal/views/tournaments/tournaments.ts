/** What is loaded when a tournament is looked at. */
export { TournamentView } from "./tournament-view.tsx";
export { TournamentsView } from "./tournaments-view.tsx";
