import { plural } from "../page/plural.ts";
import type { en } from "./en.ts";

/** Texts of the operator's view. */
export const da: typeof en = {
  title: "Drift",
  about: (union) => `Alle leverandører på én side. Unionen er på ${union}.`,
  held: "Leveringen er standset",
  heldText: (eventSource) => `Hændelseskilden er ${eventSource}. Kort venter, til den er slået til igen.`,
  waiting: "Beskeder, der venter",
  delayed: (count) => `${count} på deres næste forsøg`,
  inFlight: (count) => `${count} undervejs`,
  deadLetters: "Døde breve",
  oldest: "Ældste, der venter",
  none: "ingen",
  mirror: "Spejlets alder",
  clubs: (clubs, failing) => `${plural(clubs, "klub", "klubber")}, ${failing} fejler`,
  objective: "Inden fem minutter, 30 dage",
  budget: (late, used) => `${late} forsinket, ${used} % af fejlbudgettet brugt`,
  lost: "Kort venter uden besked",
  lostText: (cards) =>
    `${cards} kort venter, selv om køen er tom. Bliver det ved, er køens beskeder gået tabt: kortene sendes igen inden for 35 minutter.`,
  alarms: "Alarmer",
  noAlarms: "Ingen alarm lyder.",
  breakers: "Afbrydere",
  noBreakers: "Ingen er åben: alle leverandørers kort går igennem.",
  since: (when) => `siden ${when}`,
  next: (when) => `næste forsøg ${when}`,
  vendors: "Leverandører",
  noVendors: "Ingen leverandør har en konto endnu.",
  columns: {
    vendor: "Leverandør",
    accepted: "Modtaget",
    refused: "Afvist",
    delivered: "Leveret",
    late: "For sent",
    rejected: "Ikke taget imod",
    undelivered: "Opgivet",
    waiting: "Venter",
  },
  disabled: "slået fra",
  today: "Kort i dag",
};
