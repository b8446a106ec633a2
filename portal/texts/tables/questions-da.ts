import type { questions as english } from "@scorecard-pipeline/card-files/words/questions-en";

/** The marks of unset holes for a reader. */
const quoteMarks = (marks: string): string =>
  marks
    .split(" ")
    .map((mark) => (mark === "…" ? "en tom celle" : `“${mark}”`))
    .join(", ");

/** What is asked about a table, in the words of da.ts. */
export const questions: typeof english = {
  ask: {
    sheet: () => "Flere ark har kort. Hvilke skal sendes?",
    dates: (example) => `Hvad står først i en dato som ${example}, dagen eller måneden?`,
    date: (part) =>
      `Hvilken dag blev ${part === "" ? "der" : /^\d$/.test(part) ? `runde ${part}` : `“${part}”`} spillet? F.eks. 24.11.2026.`,
    holes: (columns) => `Hvad er tallene i kolonnerne ${columns}?`,
    unset: (marks) => `Hvad betyder ${quoteMarks(marks)} på et hul, når kortet har andre huller?`,
    left: (cards) =>
      `På ${cards === "1" ? "et kort" : `${cards} kort`} er de sidste huller tomme. Blev de ikke spillet, eller blev bolden samlet op?`,
    ball: (word) =>
      `${word === "" ? "De fleste spillere har samme slag som en anden." : `Filen siger “${word}”.`} Spillede hver spiller sin egen bold?`,
    club: (players) => `Hvilken klub er de ${players} medlemsnumre uden klub fra? Skriv klubbens nummer.`,
    nine: () => "Hvilke ni af teeets atten huller blev spillet?",
    rows: () => "En spiller har flere rækker. Hvilken af dem har slagene?",
    course: (courses) =>
      courses === ""
        ? "På hvilken bane blev der spillet?"
        : `Rækkerne nævner flere baner: ${courses}. Send hver bane i sin egen fil.`,
    tee: (name) =>
      name === "" ? "Fra hvilket tee blev kortene uden tee spillet?" : `Hvilket af banens tees er “${name}”?`,
    index: () =>
      "Tabellen har intet handicapindeks. Skal unionens nuværende bruges for hver spiller, eller skriver du dagens?",
    marker: () => "Hvem var markør? Skriv et navn, f.eks. turneringsudvalgets, eller et medlemsnummer.",
    columns: (field) =>
      `Hvilken kolonne har ${field === "Player/UnionID" ? "spillernes medlemsnumre" : field === "HCP" ? "handicapindeks" : field}?`,
  },
  answers: {
    all: "dem alle",
    "day-first": "dagen",
    "month-first": "måneden",
    strokes: "slag",
    points: "stablefordpoint; beregn slagene ud fra dem",
    "over-par": "slag over eller under par",
    net: "nettoslag; beregn slagene ud fra dem",
    "picked-up": "bolden blev samlet op",
    "not-played": "hullet blev ikke spillet",
    "empty-not-played": "et tegn: samlet op; en tom celle: ikke spillet",
    own: "ja, sin egen",
    side: "nej, en side har én score",
    front: "de første ni",
    back: "de sidste ni",
    register: "unionens",
    written: "dem, jeg skriver for hver spiller",
    "": "ingen af dem",
  },
  aside: {
    title: "en titel",
    course: "om banen eller alle spillere",
    heading: "overskriften igen",
    hidden: "en skjult række",
    noRound: "ingen slag, altså ikke spillet",
  },
  notes: {
    encoding: (text) => `Filen er læst som ${text}.`,
    hidden: (rows) =>
      rows === "0"
        ? "Ingen række er skjult."
        : `${rows === "1" ? "1 række" : `${rows} rækker`} er skjult og udeladt.`,
    ball: () => "Hver spiller spillede sin egen bold.",
    left: (cards) =>
      cards === "0"
        ? "Intet kort er tomt til slutningen."
        : `${cards} kort er tomme til slutningen; du har sagt hvorfor.`,
    sheet: (text) => (text === "all" ? "Alle ark med kort er læst." : `Arket ${text} er læst.`),
    dates: (text) => (text === "day-first" ? "I datoer står dagen først." : "I datoer står måneden først."),
    holes: (text) =>
      text === "strokes"
        ? "Hullernes tal er læst som slag, som de blev spillet."
        : `Slagene er beregnet ud fra ${text === "over-par" ? "slag over par" : text === "points" ? "point" : "nettoslag"}.`,
    club: (text) => `Medlemsnumre uden klub er fra klub ${text}, som filen nævner.`,
    marker: (text) => `Markør på alle kort er: ${text}.`,
    minus: (text) => `I “${text}” står der minus foran almindelige handicap; det er udeladt.`,
    course: (text) => `Filen nævner banen ${text}.`,
    unreadable: () => "Unionens baner kunne ikke læses, så teesteder findes ikke ved navn.",
    tournament: (text) => `Turneringen er ${text}, efter titlen.`,
    date: (days) => `Der blev spillet ${days}.`,
    rows: (text) => `Af hver spiller er rækken ${text} læst.`,
    computed: () => "Spillehandicappet er beregnet ud fra indeks og tee.",
  },
};
