const beginnings =
  "Alke Birke Dyre Eske Falke Gærde Hassel Jætte Krage Lærke Mejse Nøkke Odder Pile Ravne Sølv Tjørne Ulve Vibe Ørne".split(
    " ",
  );
const endings = "bakken dalen høj kilde lunden mosen næs sund vang vig".split(" ");
const suffixes = ["Golfklub", "Golfklub", "Golf Club", "Golfklub", "Golf"];
const quarters = ["", " Nord", " Syd", " Øst", " Vest"];

/** Places that do not exist, as many as there are clubs. */
const places = beginnings.length * endings.length;

/** An invented place in Denmark, e.g. "Lærkemosen"; each number has another one. */
export function placeName(number: number): string {
  const block = Math.floor(number / beginnings.length);
  // Seven and three are coprime to the lists' lengths: neighbours sound unlike each other, and no name comes twice.
  const beginning = beginnings[(number * 7) % beginnings.length] ?? "";
  const ending = endings[(number * 3 + block) % endings.length] ?? "";
  const round = Math.floor(number / places);
  return `${beginning}${ending}${quarters[round] ?? ` ${round + 1}`}`;
}

/** The name of the club at a place, e.g. "Lærkemosen Golfklub". */
export function clubName(number: number): string {
  return `${placeName(number)} ${suffixes[number % suffixes.length]}`;
}

/** A short name: three letters as a rule, but a few clubs have four, and a few none. */
export function shortName(number: number): string {
  if (number % 13 === 5) return "";
  const letters = placeName(number)
    .toUpperCase()
    .replaceAll(/[^A-ZÆØÅ]/g, "");
  const consonants = letters.slice(1).replaceAll(/[AEIOUYÆØÅ]/g, "");
  return `${letters.slice(0, 1)}${consonants}GK`.slice(0, number % 11 === 3 ? 4 : 3);
}
