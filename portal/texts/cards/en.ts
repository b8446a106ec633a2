import { plural } from "../page/plural.ts";

/** Texts of the list of cards. */
export const en = {
  title: "Cards",
  search: "Find a card by player, member number or ExternalID",
  notFound: (text: string) =>
    `No card is found for ${text}. Names and member numbers are found in the tournaments of the last 31 days, and among the 300 newest cards; upper and lower case of an ExternalID count.`,
  searching: "Looking …",
  counted: (from: string, to: string) =>
    `Counted from ${from} to ${to}. Each card is listed as it is now, whenever it was accepted.`,
  find: "Find",
  show: "Show",
  ofDay: "All cards of a day",
  inState: { rejected: "Rejected", undelivered: "Undelivered", retrying: "Retrying" },
  day: "Day",
  notRecorded: "Not in the player's record",
  list: "Cards",
  columns: { card: "Card", state: "State", accepted: "Accepted", note: "Note" },
  attempts: (count: number) => plural(count, "post", "posts"),
  warnings: (count: number) => plural(count, "warning", "warnings"),
  all: (count: string) => plural(count, "card", "cards"),
  readFrom: (read: string, total: string) => `${read} of about ${total} cards read; more come as you scroll.`,
  emptyDay: "No card was accepted on this day.",
  emptyState: {
    rejected: "No card is rejected: the exchange refused none, or each was corrected.",
    undelivered: "No card was given up.",
    retrying:
      "No card failed by itself. Cards that wait for the end of an outage are on the page of their day.",
  } as Readonly<Record<string, string>>,
  emptyFilter: "None of the cards of this time is like this.",
  order: "In the order of acceptance. Search finds a card of any day.",
  newestFirst: "Newest first.",
  bulk: {
    deliver: (count: string) => `Deliver these ${count} cards now`,
    withdraw: (count: string) => `Withdraw these ${count} cards`,
    confirmDeliver: (count: string) => ({
      title: `Deliver these ${count} cards now?`,
      text: "The cards that are listed here so far are tried at once, one after the other. Those that were given up are sent on for two more days, and rejected ones are posted once more: that helps if the exchange was at fault.",
    }),
    confirmWithdraw: (count: string) => ({
      title: `Withdraw these ${count} cards?`,
      text: "The cards that are listed here so far will not be delivered. This works only for those that the exchange cannot have, and may take 16 seconds for each four. Keep this page open.",
    }),
    progress: (done: string, count: string) => `${done} of ${count} cards …`,
    done: (done: string, count: string) => `Done for ${done} of ${count} cards.`,
    failed: (count: string) => `Not for ${count}:`,
  },
};
