import { maxExternalIdLength } from "@scorecard-pipeline/card-files/base/external-id";
import type { TableTexts } from "@scorecard-pipeline/card-files/words/en";
import { questions } from "./questions-da.ts";

/** What is told about a table's cards, in Danish. */
export const da: TableTexts = {
  questions,
  examples: {
    ExternalID: `et navn på 1 til ${maxExternalIdLength} tegn, som intet andet kort har`,
    HCP: "handicapindekset, f.eks. 15,8, eller +1,2 for et plushandicap",
    CourseHandicap: "spillehandicappet, et helt tal som 18",
    PHCP: "det justerede spillehandicap, et helt tal som 18, eller lad cellen være tom",
    "Course/TeeID": "ID'et på det tee, der blev spillet fra, f.eks. BFE01603-9F66-5724-83DD-7E850840E082",
    "Round/RoundType": "1 for almindelig runde eller 2 for en turnering",
    "Result/Strokes": "antallet af slag, x hvis bolden blev samlet op, eller - hvis hullet ikke blev spillet",
    "Player/LifeTimeID": "et nummer af formen xxxxxx-xxx, f.eks. 010190-001, eller på 12 cifre",
    "Player/UnionID": "klubbens nummer og medlemmets nummer med bindestreg imellem, f.eks. 1016-1",
  },
  examplesOfKind: {
    time: "en dag og et klokkeslæt, der findes, f.eks. 24.11.2026 08:10",
    boolean: "ja eller nej",
    number: "et helt tal fra 0",
    text: "en tekst",
  },
  write: (what) => `Skriv ${what}.`,
  or: " eller ",
  to: (first, last) => `${first} til ${last}`,
  cellsTooMany: (cells, header) =>
    `Rækken har ${cells} celler, men overskriften har ${header}. En celle, der indeholder skilletegnet, skal have anførselstegn omkring sig.`,
  cellsTooFew: (cells, header) =>
    `Rækken har ${cells} celler, men overskriften har ${header}. Skriv en celle for hver kolonne, også tomme.`,
  excelDate: (cell, number) =>
    `Et regneark har gjort nummeret til en dato: ${cell} var nok ${number}. Skriv nummeret. Det undgås, når kolonnen får formatet Tekst, før numrene sættes ind eller CSV-filen åbnes.`,
  sameName: (first) => `Række ${first} har samme navn. Giv hvert kort sit eget.`,
  sameCard: (first) =>
    `Række ${first} er et kort for samme spiller og runde. Slet et af dem, eller skriv begges runde.`,
  noMarker: (columns) =>
    `Markøren mangler. Skriv et medlemsnummer eller et navn i ${columns || "markørens kolonner"}.`,
  teeNotFound: "Denne celle og spillerens nummer giver intet tee på banen. Ret den af dem, der er forkert.",
  unknownTee:
    "Unionen har intet tee med dette ID. Skriv ID'et på det tee, der blev spillet fra, som det står i unionens register.",
  /** Who marks cards unless somebody says so. */
  committee: "Turneringsudvalget",
  lacking: (fields) =>
    `Tabellen har ingen overskrift for ${fields.join(", ")}. Skriv en over kortene, som Spiller, Medlemsnr., HCP, Tee, Dato, 1 til 18; eller sig, hvilken kolonne det er.`,
  sumDiffers: (written, expected) =>
    `Cellen har ${written}, men hullerne giver ${expected}. Ret det hul eller den celle, der er forkert.`,
  stops: {
    sum: (column, count, of) =>
      `Kolonnen “${column}” er summen af hullerne i kun ${count} af ${of} rækker: hullernes kolonner er sandsynligvis forskudt, eller det er ikke slag. Intet sendes.`,
    handicap: (column, count, of) =>
      `Spillehandicappet i “${column}” følger af handicapindeks og tee i kun ${count} af ${of} rækker: en af de tre er læst fra en forkert kolonne, eller teestedet er et andet. Intet sendes.`,
    index: (column, count, of) =>
      `Filens hulindeks er ikke dem fra noget teested på banen: ${count} af ${of} stemmer, og “${column}” gør ikke. Der er sandsynligvis spillet på en anden bane. Intet sendes.`,
    heading: (row) =>
      `Række ${row} er en anden overskrift. Giv hver tabel sit eget ark eller sin egen fil. Intet sendes.`,
    par: (column, count, of) =>
      `Filens par passer ikke til noget tee på banen: ${count} af ${of} stemmer, og “${column}” gør ikke. Der er sandsynligvis spillet en anden bane. Intet sendes.`,
    unread: (row, count) =>
      `Række ${row} har et medlemsnummer og scorer og læses ikke som et kort (${count} sådanne rækker). Intet sendes.`,
    secondSet: (columns) =>
      `Kolonnerne ${columns} har også slag. Slet de kolonner, der ikke skal sendes. Intet sendes.`,
    encoding: (column) =>
      `Overskriften “${column}” har tegn, der ikke er bogstaver: filen er læst i en forkert tegnkodning. Sig hvilken, eller gem den som UTF-8. Intet sendes.`,
    long: (column, count, of) =>
      `${count} af ${of} rækker har flere celler end overskriften, fra ${column}: et decimalkomma har sandsynligvis delt en celle. Eksportér med et andet skilletegn eller som .xlsx. Intet sendes.`,
    moved: (_, __, of) =>
      `Slagene på ${of} kort passer til nabohullernes par: hullernes kolonner er sandsynligvis forskudt med en. Intet sendes.`,
    players: (columns) =>
      columns === ""
        ? "Et makkerpars score er ingens runde. Intet sendes."
        : `Rækkerne har to medlemsnumre, i ${columns}: et makkerpars score er ingens runde. Er det ene markørens, så sig det. Intet sendes.`,
  },
};
