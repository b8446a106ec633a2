import type { en } from "./en.ts";

/** Texts of the refusals. */
export const da: typeof en = {
  title: "Afvisninger",
  about:
    "Afvist: kortet har en fejl og blev aldrig modtaget her. Ikke taget imod, i andre lister: det blev modtaget her, men unionen tog ikke imod det. Et kort med flere fejl tæller under hver.",
  period: "Tid",
  days: { 1: "I dag", 2: "2 dage", 7: "7 dage", 30: "30 dage" },
  cards: (count) => `${count} kort`,
  all: "Alle",
  request: (requestId, index) => `kort ${index + 1} i forespørgsel ${requestId}`,
  round: (round) => `runde ${round}`,
  noName: "uden ExternalID",
  none: {
    title: "Ingen kort blev afvist i denne tid",
    text: "Alle kort, der blev sendt, blev modtaget.",
  },
  unknownCode: "En fejl, som siden ikke kender",
  /** What to do about a fault for which no other remedy is given. */
  program: "Det er programmet, der sendte kortet: vis din udvikler denne side.",
  developer: "Til din udvikler",
};
