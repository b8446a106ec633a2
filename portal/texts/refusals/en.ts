import { plural } from "../page/plural.ts";

/** Texts of the refusals. */
export const en = {
  title: "Refusals",
  about:
    "Refused: the card has a fault, and was never accepted here. Rejected, in other lists: it was accepted here, and the union's exchange refused it. A card with several faults counts under each.",
  period: "Time",
  days: { 1: "Today", 2: "2 days", 7: "7 days", 30: "30 days" },
  cards: (count: string) => plural(count, "card", "cards"),
  all: "All of them",
  request: (requestId: string, index: number) => `card ${index + 1} of request ${requestId}`,
  round: (round: number) => `round ${round}`,
  noName: "without ExternalID",
  none: {
    title: "No card was refused in this time",
    text: "Every card that was submitted was accepted.",
  },
  unknownCode: "A fault that this page does not know",
  /** What to do about a fault for which no other remedy is given. */
  program: "It is the program that sent the card: show your developer this page.",
  developer: "For your developer",
};
