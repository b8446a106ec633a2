/** Texts of the refusals. */
export const en = {
  title: "Refusals",
  about:
    "Cards with a fault are refused at once, with the reason in the answer. A card with several faults counts under each.",
  period: "Time",
  days: { 1: "Today", 2: "2 days", 7: "7 days", 30: "30 days" },
  cards: (count: string) => (count === "1" ? "1 card" : `${count} cards`),
  all: "All of them",
  request: (requestId: string, index: number) => `card ${index + 1} of request ${requestId}`,
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
