import type { en } from "./en.ts";

/** Texts of the list of cards. */
export const da: typeof en = {
  title: "Kort",
  search: "Find et kort på spiller, medlemsnummer eller ExternalID",
  notFound: (text) =>
    `Der er ikke fundet noget kort til ${text}. Navne og medlemsnumre findes i turneringerne fra de seneste 31 dage og blandt de 300 nyeste kort; store og små bogstaver i et ExternalID tæller.`,
  searching: "Leder …",
  counted: (from, to) =>
    `Talt fra ${from} til ${to}. Hvert kort står, som det er nu, uanset hvornår det blev modtaget.`,
  find: "Find",
  show: "Vis",
  ofDay: "Alle kort fra en dag",
  inState: { rejected: "Ikke taget imod", undelivered: "Opgivet", retrying: "Prøves igen" },
  day: "Dag",
  notRecorded: "Ikke blandt spillerens scorer",
  list: "Kort",
  columns: { card: "Kort", state: "Tilstand", accepted: "Modtaget", note: "Bemærkning" },
  attempts: (count) => (count === 1 ? "sendt 1 gang" : `sendt ${count} gange`),
  warnings: (count) => (count === 1 ? "1 advarsel" : `${count} advarsler`),
  all: (count) => `${count} kort`,
  readFrom: (read, total) => `${read} af omkring ${total} kort er læst; der kommer flere, når du ruller ned.`,
  emptyDay: "Ingen kort blev modtaget denne dag.",
  emptyState: {
    rejected: "Unionen har taget imod alle kort, eller de er rettet.",
    undelivered: "Ingen kort er opgivet.",
    retrying:
      "Ingen kort fejlede for sig selv. Kort, der venter på, at et udfald slutter, står under deres dag.",
  },
  emptyFilter: "Ingen af kortene fra denne tid er sådan.",
  order: "I den rækkefølge, de blev modtaget. Søgningen finder et kort fra enhver dag.",
  newestFirst: "Nyeste først.",
  bulk: {
    deliver: (count: string) => `Levér disse ${count} kort nu`,
    withdraw: (count: string) => `Træk disse ${count} kort tilbage`,
    confirmDeliver: (count: string) => ({
      title: `Levere disse ${count} kort nu?`,
      text: "De kort, der er vist her indtil nu, prøves med det samme, et efter et. De opgivne prøves i to dage mere, og de afviste sendes en gang til: det hjælper, hvis fejlen var hos unionen.",
    }),
    confirmWithdraw: (count: string) => ({
      title: `Trække disse ${count} kort tilbage?`,
      text: "De kort, der er vist her indtil nu, bliver ikke leveret. Det kan kun lade sig gøre for dem, som unionen ikke kan have, og kan tage 16 sekunder for hver fire. Lad siden være åben.",
    }),
    progress: (done: string, count: string) => `${done} af ${count} kort …`,
    done: (done: string, count: string) => `Gjort for ${done} af ${count} kort.`,
    failed: (count: string) => `Ikke for ${count}:`,
  },
};
