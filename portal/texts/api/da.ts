import type { en } from "./en.ts";

/** Texts of the page about the API. */
export const da: typeof en = {
  title: "API",
  about: (username) =>
    `Hvad ${username} må bruge. Eksemplerne er til en kommandolinje; curl spørger om adgangskoden. Hvert virker, som det står, medmindre en bemærkning siger, hvad der skal sættes ind.`,
  base: "Basisadresse",
  apiSet: "API-sæt",
  vendorAddress: "Leverandøradresse",
  credentials: "Adgang",
  basic: "HTTP Basic, med hver forespørgsel",
  requests: "Forespørgsler",
  document: "Alle forespørgsler og svar er beskrevet i",
  reference: "API-referencen (på engelsk)",
  forPrograms: "for programmer i",
  deeds: "Det har jeres app gjort",
  aboutDeeds:
    "Det, som en union ser efter, og hvad der er set af jeres app her i 30 dage. Hver webhook-modtager får en prøvebesked og en forfalsket.",
  askForDeeds: "Se, hvad der er gjort",
  deedsDone: (done, all) => `${done} af ${all} er gjort.`,
};
