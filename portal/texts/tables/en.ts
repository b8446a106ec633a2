import { questions } from "@scorecard-pipeline/card-files/words/questions-en";
import { plural } from "../page/plural.ts";

/** Texts of sending a table, in English. Another language is another file with the same keys. */
export const en = {
  about:
    "Send the cards of a tournament from a table: one card a row, below a heading for each column. You see what is wrong before anything is sent, and mend it here.",
  reading: questions,
  questions: {
    title: (count: string) => `${plural(count, "question", "questions")} before it can be checked`,
    use: "Use it",
    otherClub: "Another club",
  },
  grid: {
    title: "The table as it is read",
    first: "The first rows",
    row: "Row",
    hole: (hole: string) => `Hole ${hole}`,
    unused: "not used",
    column: (column: string) => `What the column ${column} is`,
    aside: (rows: string) => `Rows that are no cards: ${rows}`,
  },
  drop: {
    title: "Drop a table here",
    or: "or",
    choose: "Choose a file",
    kinds: "CSV, or a workbook (.xlsx, .xls, .ods)",
    empty: (name: string) =>
      `${name} is empty, or has no heading above its cards, such as Player, Member No, Handicap Index, Tee, Date, 1 to 18. Choose another file.`,
    noTable: (name: string) => `${name} is no table. Save the table as CSV or Excel, and choose that file.`,
    reading: (name: string) => `${name} is being read …`,
    unread: (name: string) =>
      `${name} could not be read: the page is not whole, or its memory did not suffice. Reload the page, and choose only the sheet with the cards.`,
  },
  template: {
    hint: "No scores yet? Drop the list of players, or paste it here from any program: it becomes a workbook to fill in.",
    about:
      "The table has players and no scores by hole. Download it as a workbook to fill in: it is read without a question when you drop it here.",
    get: "Download the workbook",
    pasted: "pasted players",
    tooMany: "A workbook to fill in has at most 300 players. Divide the list.",
  },
  columns: {
    about: (name: string, rows: string) =>
      `${name} has ${plural(rows, "row", "rows")}. Above each column stands what it is taken for: change what is wrong.`,
    check: "Check the rows",
    cancel: "Another file",
    readHidden: "Read the hidden rows, too",
    encoding: "Encoding",
    cards: (cards: string, rows: string) =>
      `${cards} of ${rows} rows are cards; the others are listed below.`,
    drawn: "Is this the player's card?",
    hole: "Hole",
    par: "Par",
    strokes: "Strokes",
    sum: "Sum",
  },
  fields: {
    ExternalID: "Name of the card",
    HCP: "Handicap Index",
    CourseHandicap: "Course Handicap",
    PHCP: "Playing Handicap",
    Comment: "Comment",
    "Course/TeeID": "Tee ID",
    "Course/TeeName": "Tee's name",
    "Round/HolesPlayed": "Holes of the round",
    "Round/RoundType": "Kind of round",
    "Round/StartTime": "Start",
    "Round/TournamentName": "Tournament",
    "Round/TournamentRoundNumber": "Round",
    "Result/Strokes": "Strokes of each hole",
    "Result/IsQualifying": "Counts for the handicap",
    "Player/FullName": "Player's name",
    "Player/HomeClubName": "Player's home club",
    "Player/LifeTimeID": "Player's LifeTimeID",
    "Player/UnionID": "Player's member number",
    "Marker/FullName": "Marker's name",
    "Marker/UnionID": "Marker's member number",
  } as Readonly<Record<string, string>>,
  rows: {
    title: "Rows",
    tiles: {
      rows: "Rows",
      faulty: "To mend",
      held: "Will not count",
      ready: "Ready to send",
      warned: "With warnings",
      leftOut: "Left out",
      accepted: "Sent",
      before: (count: string) => `of these ${count} before`,
    },
    checking: (checked: string, rows: string) => `${checked} of ${rows} rows are checked …`,
    sending: (accepted: string, rows: string) => `${accepted} of ${rows} rows are sent …`,
    sendingNote:
      "You can look at other views meanwhile. If you close the page, drop the same file again to go on.",
    show: "Show",
    filters: {
      faults: (count: string) => `To mend (${count})`,
      held: (count: string) => `Will not count (${count})`,
      warnings: (count: string) => `Warnings (${count})`,
      all: "All rows",
    },
    none: {
      faults: "Nothing to mend.",
      held: "Every card will count.",
      warnings: "No warnings.",
      all: "The table has no rows.",
    },
    range: (first: string, last: string, total: string) => `${first} to ${last} of ${total}`,
    previous: "Previous rows",
    next: "Next rows",
    row: (number: string) => `Row ${number}`,
    score: (strokes: number) => plural(strokes, "stroke", "strokes"),
    outcomes: {
      unchecked: "being checked",
      faulty: "to mend",
      held: "will not count",
      replacing: "replaces another",
      ready: "ready",
      leftOut: "left out",
      accepted: "sent",
      before: "sent before",
    },
    replaces: "Replaces what was sent:",
    mended: "mended",
    shared: "Of all rows: change it under “Columns”.",
    allCells: "All cells of this row",
    leaveOut: "Leave this row out",
    takeBack: "Take this row back in",
    columns: "Columns",
    save: "Save the mended table",
    again: "Check again",
    other: "Another table",
    discardTitle: "Close this table?",
    discardText: "Rows that are not sent stay unsent, and what you have mended here is forgotten.",
    discard: "Close it",
  },
  send: {
    held: (rows: string) =>
      rows === "1"
        ? "Send the card that will not count, too"
        : `Send the ${rows} cards that will not count, too`,
    heldTitle: "Send cards that will not count?",
    heldText: (rows: string) =>
      `The union will take ${rows} of the cards and calculate no handicap from them: the reason is at each row. A card that is sent cannot be taken back once it is delivered.`,
    replace: (rows: string) =>
      `Give ${plural(rows, "sent card", "sent cards")} to another player, day or course`,
    replaceTitle: "Are these corrections?",
    replaceText: (rows: string) =>
      `${plural(rows, "row changes", "rows change")} the player, the day or the course of a card that was sent. What changes is shown at each row. If they are other rounds, leave them out here and give them names or days of their own; sent like this, they replace those cards.`,
    unasked: (players: string) =>
      `${plural(players, "player", "players")} could not be asked for: your account may not see other clubs' members, or the union did not answer. Their numbers are not proved.`,
    common: (rows: string, of: string, detail: string) =>
      `${rows} of ${of} rows have the same warning, such as: ${detail} Is that right for the whole table?`,
    confirm: "Yes, for all rows",
    otherOrder: (rows: string) =>
      `This table has another order than the one that was sent before: ${rows} of its rows would make a sent card another round. Nothing is sent. Leave out the column that names the cards, and open the table again.`,
    changes: {
      new: (rows: string) => `${rows} new`,
      corrected: (rows: string) => `${rows} corrected`,
      unchanged: (rows: string) => `${rows} unchanged`,
      replaced: (rows: string) => `${rows} of another player, day or course`,
    },
    button: (rows: string) => `Send ${plural(rows, "card", "cards")}`,
    title: "Send these cards?",
    text: (rows: string) => `${plural(rows, "card goes", "cards go")} to the union, each once.`,
    textFaulty: (rows: string, faulty: string) =>
      `${plural(rows, "card goes", "cards go")} to the union, each once. ${plural(faulty, "row is", "rows are")} not sent because of faults: correct them here, and send again.`,
    done: (accepted: string) => `Sent and accepted: ${plural(accepted, "card", "cards")}.`,
    doneLeftOut: (accepted: string, leftOut: string) =>
      `Sent and accepted: ${plural(accepted, "card", "cards")}; ${plural(leftOut, "row was", "rows were")} left out.`,
    partly: (accepted: string, rest: string) =>
      `${plural(accepted, "card is", "cards are")} accepted, ${plural(rest, "row is", "rows are")} not sent yet.`,
    states: (count: string, state: string) => `${count} ${state}`,
    following: "What became of each card is shown at its row, and is read again by itself.",
    tournaments: "Progress and the report to print:",
  },
  failure: {
    title: "That did not work",
    server: "The API has failed. Try again; if it lasts, tell the operator.",
    unreachable: "The API cannot be reached. Check your connection and try again: no card is sent twice.",
  },
};

/** The texts of sending a table in any language. */
export type TableViewTexts = typeof en;
