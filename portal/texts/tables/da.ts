import { denmark } from "../../../unions/denmark.ts";
import { plural } from "../page/plural.ts";
import type { TableViewTexts } from "./en.ts";
import { questions } from "./questions-da.ts";

/** Texts of sending a table, in Danish. */
export const da: TableViewTexts = {
  about:
    "Send en turnerings kort fra en tabel: ét kort pr. række, under en overskrift for hver kolonne. Du ser, hvad der er galt, før noget sendes, og retter det her.",
  reading: questions,
  questions: {
    title: (count) => `${count} spørgsmål, før rækkerne kan kontrolleres`,
    use: "Brug det",
    otherClub: "En anden klub",
  },
  grid: {
    title: "Tabellen, som den er læst",
    first: "De første rækker",
    row: "Række",
    hole: (hole) => `Hul ${hole}`,
    unused: "bruges ikke",
    column: (column) => `Hvad kolonnen ${column} er`,
    aside: (rows) => `Rækker, der ikke er kort: ${rows}`,
  },
  drop: {
    title: "Slip en tabel her",
    or: "eller",
    choose: "Vælg en fil",
    kinds: "CSV eller en projektmappe (.xlsx, .xls, .ods)",
    empty: (name) =>
      `${name} er tom eller har ingen overskrift over kortene, f.eks. Spiller, Medlemsnr., HCP, Tee, Dato, 1 til 18. Vælg en anden fil.`,
    noTable: (name) => `${name} er ikke en tabel. Gem tabellen som CSV eller Excel, og vælg den fil.`,
    reading: (name) => `${name} læses …`,
    unread: (name) =>
      `${name} kunne ikke læses: siden er ikke hel, eller dens hukommelse slog ikke til. Genindlæs siden, og vælg kun arket med kortene.`,
  },
  template: {
    hint: "Ingen scorer endnu? Slip listen over spillere, eller indsæt den her fra et vilkårligt program: den bliver til en projektmappe at udfylde.",
    about:
      "Tabellen har spillere og ingen scorer pr. hul. Hent den som en projektmappe at udfylde: den læses uden et spørgsmål, når du slipper den her.",
    get: "Hent projektmappen",
    pasted: "indsatte spillere",
    tooMany: "En projektmappe at udfylde har højst 300 spillere. Del listen.",
  },
  columns: {
    about: (name, rows) =>
      `${name} har ${plural(rows, "række", "rækker")}. Over hver kolonne står, hvad den er læst som: ret det, der er forkert.`,
    check: "Kontrollér rækkerne",
    cancel: "En anden fil",
    readHidden: "Læs også de skjulte rækker",
    encoding: "Tegnkodning",
    cards: (cards, rows) => `${cards} af ${rows} rækker er kort; de andre står nedenfor.`,
    drawn: "Er det spillerens kort?",
    hole: "Hul",
    par: "Par",
    strokes: "Slag",
    sum: "I alt",
  },
  fields: {
    ExternalID: "Kortets navn",
    HCP: denmark.terms.handicapIndex,
    CourseHandicap: denmark.terms.courseHandicap,
    PHCP: denmark.terms.playingHandicap,
    Comment: "Bemærkning",
    "Course/TeeID": "Tee-ID",
    "Course/TeeName": "Teestedets navn",
    "Round/HolesPlayed": "Rundens huller",
    "Round/RoundType": "Rundens art",
    "Round/StartTime": "Start",
    "Round/TournamentName": "Turnering",
    "Round/TournamentRoundNumber": "Runde",
    "Result/Strokes": "Slag pr. hul",
    "Result/IsQualifying": "Tæller for handicappet",
    "Player/FullName": "Spillerens navn",
    "Player/HomeClubName": "Spillerens hjemmeklub",
    "Player/LifeTimeID": "Spillerens LifeTimeID",
    "Player/UnionID": "Spillerens medlemsnummer",
    "Marker/FullName": "Markørens navn",
    "Marker/UnionID": "Markørens medlemsnummer",
  },
  rows: {
    title: "Rækker",
    tiles: {
      rows: "Rækker",
      faulty: "Skal rettes",
      held: "Tæller ikke",
      ready: "Klar til at sendes",
      warned: "Med advarsler",
      leftOut: "Udeladt",
      accepted: "Sendt",
      before: (count) => `heraf ${count} tidligere`,
    },
    checking: (checked, rows) => `${checked} af ${rows} rækker er kontrolleret …`,
    sending: (accepted, rows) => `${accepted} af ${rows} rækker er sendt …`,
    sendingNote:
      "Du kan se på andre visninger imens. Lukker du siden, så slip den samme fil igen for at fortsætte.",
    show: "Vis",
    filters: {
      faults: (count) => `Skal rettes (${count})`,
      held: (count) => `Tæller ikke (${count})`,
      warnings: (count) => `Advarsler (${count})`,
      all: "Alle rækker",
    },
    none: {
      faults: "Intet skal rettes.",
      held: "Alle kort tæller.",
      warnings: "Ingen advarsler.",
      all: "Tabellen har ingen rækker.",
    },
    range: (first, last, total) => `${first} til ${last} af ${total}`,
    previous: "Forrige rækker",
    next: "Næste rækker",
    row: (number) => `Række ${number}`,
    score: (strokes) => `${strokes} slag`,
    outcomes: {
      unchecked: "kontrolleres",
      faulty: "skal rettes",
      held: "tæller ikke",
      replacing: "erstatter et andet",
      ready: "klar",
      leftOut: "udeladt",
      accepted: "sendt",
      before: "sendt tidligere",
    },
    replaces: "Erstatter det, der er sendt:",
    mended: "rettet",
    shared: "For alle rækker: ret det under “Kolonner”.",
    allCells: "Alle rækkens celler",
    leaveOut: "Udelad rækken",
    takeBack: "Tag rækken med igen",
    columns: "Kolonner",
    save: "Gem den rettede tabel",
    again: "Kontrollér igen",
    other: "En anden tabel",
    discardTitle: "Luk denne tabel?",
    discardText: "Rækker, der ikke er sendt, bliver ikke sendt, og det, du har rettet her, bliver glemt.",
    discard: "Luk den",
  },
  send: {
    held: (rows) =>
      rows === "1" ? "Send også kortet, der ikke tæller" : `Send også de ${rows} kort, der ikke tæller`,
    heldTitle: "Send kort, der ikke tæller?",
    heldText: (rows) =>
      `Unionen tager imod ${rows} af kortene og beregner intet handicap ud fra dem: grunden står ved hver række. Et afsendt kort kan ikke trækkes tilbage, når det er leveret.`,
    replace: (rows) => `Giv ${rows} sendte kort til en anden spiller, dag eller bane`,
    replaceTitle: "Er det rettelser?",
    replaceText: (rows) =>
      `${plural(rows, "række", "rækker")} ændrer spiller, dag eller bane på et kort, der er sendt. Ændringen står ved hver række. Er det andre runder, så udelad dem her, og giv dem egne navne eller dage; sendes de sådan, erstatter de de kort.`,
    unasked: (players) =>
      `Der kunne ikke spørges om ${plural(players, "spiller", "spillere")}: din konto må ikke se andre klubbers medlemmer, eller unionen svarede ikke. Deres numre er ikke efterprøvet.`,
    common: (rows, of, detail) =>
      `${rows} af ${of} rækker har samme advarsel, f.eks.: ${detail} Er det rigtigt for hele tabellen?`,
    confirm: "Ja, for alle rækker",
    otherOrder: (rows) =>
      `Denne tabel har en anden rækkefølge end den, der blev sendt før: ${rows} af dens rækker ville gøre et sendt kort til en anden runde. Intet sendes. Udelad kolonnen med kortenes navne, og åbn tabellen igen.`,
    changes: {
      new: (rows) => `${rows} nye`,
      corrected: (rows) => `${rows} rettede`,
      unchanged: (rows) => `${rows} uændrede`,
      replaced: (rows) => `${rows} til en anden spiller, dag eller bane`,
    },
    button: (rows) => `Send ${rows} kort`,
    title: "Send disse kort?",
    text: (rows) => `${rows} kort sendes til unionen. Hvert af dem leveres én gang.`,
    textFaulty: (rows, faulty) =>
      `${rows} kort sendes til unionen, hvert én gang. ${plural(faulty, "række", "rækker")} sendes ikke på grund af fejl: ret dem her, og send igen.`,
    done: (accepted) => `Alle ${accepted} kort er sendt og modtaget.`,
    doneLeftOut: (accepted, leftOut) =>
      `${accepted} kort er sendt og modtaget; ${plural(leftOut, "række", "rækker")} er udeladt.`,
    partly: (accepted, rest) =>
      `${accepted} kort er modtaget, ${plural(rest, "række", "rækker")} er ikke sendt endnu.`,
    states: (count, state) => `${count} ${state}`,
    following: "Hvad der er blevet af hvert kort, står ved dets række og læses igen af sig selv.",
    tournaments: "Status og rapporten til udskrift:",
  },
  failure: {
    title: "Det lykkedes ikke",
    server: "API'et har fejlet. Prøv igen; bliver det ved, så sig det til operatøren.",
    unreachable: "API'et kan ikke nås. Se efter forbindelsen, og prøv igen: intet kort sendes to gange.",
  },
};
