/** The marks of unset holes for a reader. */
const quoteMarks = (marks: string): string =>
  marks
    .split(" ")
    .map((mark) => (mark === "…" ? "an empty cell" : `“${mark}”`))
    .join(", ");

/** Sentences with what they are about. */
type Words = Readonly<Record<string, (about: string) => string>>;

/** What is asked about a table, in English. Another language is another file with the same keys. */
export const questions = {
  /** By the question's ID; with what it is about. */
  ask: {
    sheet: () => "Several sheets have cards. Which of them are sent?",
    dates: (example) => `Which comes first in a date such as ${example}, the day or the month?`,
    date: (part) =>
      `On which day was ${part === "" ? "it" : /^\d$/.test(part) ? `round ${part}` : `“${part}”`} played? Such as 24.11.2026.`,
    holes: (columns) => `What are the numbers in the columns ${columns}?`,
    unset: (marks) => `What does ${quoteMarks(marks)} on a hole mean, on a card with other holes?`,
    left: (cards) =>
      `On ${cards === "1" ? "one card" : `${cards} cards`} the last holes are empty. Were they not played, or was the ball picked up?`,
    ball: (word) =>
      `${word === "" ? "Most players have the strokes of another one." : `The file says “${word}”.`} Did each player play his own ball?`,
    club: (players) =>
      `Of which club are the ${players} member numbers without one? Write the club's number.`,
    nine: () => "Which nine of the tee's eighteen holes were played?",
    rows: () => "A player has several rows. Which of them has the strokes?",
    course: (courses) =>
      courses === ""
        ? "On which course was it played?"
        : `The rows name several courses: ${courses}. Send each course in a file of its own.`,
    tee: (name) =>
      name === ""
        ? "From which tee were the cards without one played?"
        : `Which tee of the course is “${name}”?`,
    index: () =>
      "The table has no Handicap Index. Take the one that the union has for each player now, or write those of the day?",
    marker: () => "Who marked the cards? Write a name, such as the committee's, or a member number.",
    columns: (field) =>
      `Which column has the ${field === "Player/UnionID" ? "players' member numbers" : field === "HCP" ? "Handicap Index" : field}?`,
  } satisfies Words,
  answers: {
    all: "all of them",
    "day-first": "the day",
    "month-first": "the month",
    strokes: "strokes",
    points: "Stableford points; calculate the strokes from them",
    "over-par": "strokes over or under par",
    net: "net strokes; calculate the strokes from them",
    "picked-up": "the ball was picked up",
    "not-played": "the hole was not played",
    "empty-not-played": "a mark: picked up; an empty cell: not played",
    own: "yes, his own",
    side: "no, a side has one score",
    front: "the first nine",
    back: "the last nine",
    register: "the union's",
    written: "those that I write for each player",
    "": "none of them",
  } as Readonly<Record<string, string>>,
  /** Why a row is no card. */
  aside: {
    title: "a title",
    course: "of the course or of all players",
    heading: "the heading again",
    hidden: "a hidden row",
    noRound: "no strokes, so not played",
  },
  notes: {
    encoding: (text) => `It is read as ${text}.`,
    hidden: (rows) =>
      rows === "0"
        ? "No row is hidden."
        : `${rows === "1" ? "1 row is hidden, and" : `${rows} rows are hidden, and`} left out.`,
    ball: () => "Each player played his own ball.",
    left: (cards) =>
      cards === "0"
        ? "No card is empty to its end."
        : `${cards} cards are empty to their end, as you say why.`,
    sheet: (text) => (text === "all" ? "All sheets with cards are read." : `The sheet ${text} is read.`),
    dates: (text): string =>
      text === "day-first" ? "In dates the day comes first." : "In dates the month comes first.",
    holes: (text) =>
      text === "strokes"
        ? "The numbers of the holes are read as strokes, as they were played."
        : `The strokes are calculated from ${text === "over-par" ? "strokes over par" : text}.`,
    club: (text) => `Member numbers without a club are of club ${text}, which the file names.`,
    marker: (text) => `The marker of all cards is: ${text}.`,
    minus: (text) => `In “${text}” a minus stands before ordinary handicaps; it is left out.`,
    course: (text) => `The file names the course ${text}.`,
    unreadable: () => "The union's courses could not be read, so tees are not found by their names.",
    tournament: (text) => `The tournament is ${text}, by the title.`,
    date: (days) => `The days of play are ${days}.`,
    rows: (text) => `Of each player the row ${text} is read.`,
    computed: () => "The Course Handicap is calculated from the index and the tee.",
  } satisfies Words,
};
