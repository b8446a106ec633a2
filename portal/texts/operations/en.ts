import { plural } from "../page/plural.ts";

/** Texts of the operator's view. */
export const en = {
  title: "Operator",
  about: (union: string) => `All vendors at a glance. The union is at ${union}.`,
  held: "Delivery is on hold",
  heldText: (eventSource: string) =>
    `The event source is ${eventSource}. Cards wait until it is enabled again.`,
  waiting: "Messages waiting",
  delayed: (count: string) => `${count} for their next attempt`,
  inFlight: (count: string) => `${count} under way`,
  deadLetters: "Dead letters",
  oldest: "Oldest waiting",
  none: "none",
  mirror: "Mirror's age",
  clubs: (clubs: string, failing: string) => `${plural(clubs, "club", "clubs")}, ${failing} failing`,
  objective: "Within five minutes, 30 days",
  budget: (late: string, used: string) => `${late} late, ${used} % of the error budget used`,
  lost: "Cards wait without a message",
  lostText: (cards: string) =>
    `${plural(cards, "card waits", "cards wait")} though the queue is empty. If this stays, its messages were lost: what waits is woken up again within 35 minutes.`,
  alarms: "Alarms",
  noAlarms: "No alarm rings.",
  breakers: "Circuit breakers",
  noBreakers: "None is open: every vendor's cards go through.",
  since: (when: string) => `since ${when}`,
  next: (when: string) => `next attempt ${when}`,
  vendors: "Vendors",
  noVendors: "No vendor has an account yet.",
  columns: {
    vendor: "Vendor",
    accepted: "Accepted",
    refused: "Refused",
    delivered: "Delivered",
    late: "Late",
    rejected: "Rejected",
    undelivered: "Given up",
    waiting: "Waiting",
  },
  disabled: "disabled",
  today: "Cards today",
};
