import { plural } from "../page/plural.ts";

/** Texts of the tournaments in English. Another language is another file with the same keys. */
export const en = {
  about: "Cards that name the same tournament, by day of play. Counts follow within seconds.",
  period: "Days",
  days: { 1: "1 day", 7: "7 days", 31: "31 days" } as Readonly<Record<number, string>>,
  to: "Last day of play",
  none: {
    title: "No tournament on these days",
    text: "A card belongs to a tournament if its TournamentName says so. Choose other days, or put the name on the cards.",
  },
  list: "Tournaments",
  nameless: "Tournament whose name was erased",
  onDays: (days: string) => `Played ${days}`,
  onDaysFrom: (from: string, to: string) => `Played ${from} to ${to}`,
  sent: (count: string) => `${count} sent`,
  refusedCards: (count: string) => `${count} refused`,
  deliveredCards: (count: string) => `${count} delivered`,
  inRecords: (count: string) => `${count} in players' records`,
  uncounted: (count: string) => `${count} will not count`,
  notDelivered: (count: string) => `${count} rejected or given up`,
  back: "All tournaments",
  missing: {
    title: "No card of this tournament was sent on these days",
    text: "It may be new: counts follow within seconds. Or its cards were all corrected to another name or day.",
  },
  progress: "Progress",
  tiles: {
    uncounted: "Will not count",
    sent: "Sent",
    withdrawn: (count: string) => `and ${count} withdrawn`,
    refused: "Refused, to mend",
    corrections: (count: string) => `and as corrections: ${count}`,
    delivered: "Delivered",
    waiting: "Waiting",
    failed: "Rejected or given up",
    recorded: "In players' records",
    notRecorded: (count: string) => `${count} not`,
    warned: "With warnings",
  },
  share: (delivered: string, sent: string) => `${delivered} of ${sent} sent cards are delivered.`,
  refusedMayBeMore: "More was refused than is shown here. The refusals list all of it.",
  rounds: {
    title: "By round",
    day: "Day",
    round: "Round",
    without: "none",
    sent: "Sent",
    delivered: "Delivered",
    waiting: "Waiting",
    failed: "Rejected or given up",
    recorded: "In records",
    withdrawn: "Withdrawn",
  },
  mend: {
    title: "Refused cards, to mend and send again",
    about: "These were refused the last time they were sent, and have not been accepted since.",
    correction: "An earlier content of this card is accepted; this correction of it is not.",
    noName: "Card without an ExternalID that can be read",
    round: (round: string) => `round ${round}`,
  },
  look: {
    title: "Cards to look at",
    about: "Sent, but not delivered, or delivered with a warning.",
    read: (count: string, all: string) => `Of ${count} of ${all} cards; the others are being read.`,
    first: (count: string, all: string) => `Of the first ${count} of ${all} cards.`,
    rest: "Read all cards",
  },
  warnings: {
    title: "Warnings",
    cards: (count: string) => plural(count, "card", "cards"),
  },
  print: "Print the report",
  printedAt: (time: string, account: string) => `As of ${time}, account ${account}`,
};

/** The texts of the tournaments in any language. */
export type TournamentTexts = typeof en;
