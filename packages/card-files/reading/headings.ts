/** Headings that people and programs write above the column of a field, in the languages of their clubs, in the order of preference. */
const headings: Readonly<Record<string, string>> = {
  ExternalID:
    "external id, externalid, card, card id, scorecard, scorecard id, kort, kort id, scorekort, scorekort id",
  HCP: "handicap index, hcp index, whs index, exact handicap, exact hcp, hi, index, handicapindeks, hcp indeks, hcp index dgu, indeks, eksakt hcp, eksakt handicap, handicapindex, exakt hcp, exakt handicap, stammvorgabe, hcpi, whs hcpi, wi",
  CourseHandicap:
    "course handicap, course hcp, coursehandicap, ch, banehandicap, banehcp, bane hcp, bane handicap, spillehandicap, spillehcp, spille hcp, tildelte slag, baneslag, banehandikap, banhandicap, spelhandicap bana, course handicap ch",
  PHCP: "playing handicap, playing hcp, phcp, ph, justeret spillehandicap, justeret spillehcp, justeret spille hcp, turneringshandicap, playinghandicap, spillehandikap, spelhandicap, shcp, spielvorgabe, spvg, tildelte slag turnering, spillehandicap, spillehcp, spille hcp",
  Comment: "comment, remark, note, bemærkning, kommentar, bemerkung, anmärkning, merknad",
  "Course/TeeID": "tee id, teeid",
  "Course/TeeName":
    "tee name, tee navn, teenavn, teenamn, teename, tee, tees, teested, tee sted, tee farve, utslag, utslagssted, abschlag, abschläge, tee colour, tee color, marker tees",
  "Course/Name": "course, course name, bane, banenavn, golfbane, banens navn, platz, golfplatz, spelbana",
  "Course/CourseID": "course id, bane id, courseid",
  "Course/ClubID": "club id, klub id, clubid",
  "Round/HolesPlayed":
    "holes played, nb holes played, holes, number of holes, huller, antal huller, antal hål, antall hull, anzahl löcher",
  "Round/RoundType": "round type, type, rundetype",
  "Round/StartTime":
    "start time, starttime, played at, date and time, played, date, round date, play date, day, starttid, start tidspunkt, dato, spilledato, spilledag, datum, speldatum, spieltag, spildato, dag",
  time: "time, tee time, tee off, teetime, tee off time, start, starttidspunkt, tid, klokkeslæt, kl, klokkeslett, klockslag, startzeit, uhrzeit, zeit, start tid, starter",
  "Round/TournamentName":
    "tournament name, tournament, competition, event, turnering, turneringsnavn, tävling, turnier, wettspiel, matchnavn, match",
  "Round/TournamentRoundNumber":
    "round number, round, round no, round nr, rd, runde, runde nr, rundenummer, rond, runda, rnd, runden",
  "Result/IsQualifying":
    "qualifying, is qualifying, counts, tællende, handicaptællende, hcp tællende, tellende, räknas, wertung, vorgabenwirksam",
  "Player/FullName":
    "player, player name, full name, name, golfer name, golfer, spiller, spillernavn, navn, spelare, namn, spieler, spielername, deltager, teilnehmer",
  firstName: "first name, firstname, given name, fornavn, förnamn, vorname",
  lastName: "last name, lastname, surname, family name, efternavn, etternavn, efternamn, nachname",
  "Player/HomeClubName":
    "home club, club, club name, hjemmeklub, klub, klubb, hemmaklubb, hjemmeklubb, heimatclub, verein, heimclub",
  "Player/UnionID":
    "union id, unionid, member, member number, member no, member id, membership, membership number, membership no, player id, player no, player number, license number, licence number, dgu number, medlem, medlemsnummer, medlemsnr, medlems nr, medlemsnr., dgu nr, dgu nummer, dgu no, dgunr, ghin id number, ghin, golf id, golfid, medlemsnummer dgu, spillernummer, spiller nr, ngf nr, spielernummer, mitgliedsnummer, mitgliedsnr, mitglied nr, dgv nummer, dgv nr, medlems id",
  clubNumber:
    "club no, club number, club nr, klubnr, klub nr, klubnummer, klubbnr, klubb nr, klubbnummer, clubnr, clubnummer, vereinsnummer, vereinsnr",
  "Player/LifeTimeID": "lifetime id, lifetimeid, livstidsnummer",
  "Marker/UnionID":
    "marker, marker number, marker no, marker id, marker member, marker member number, markør, markør nr, markørnr, markørnummer, markør medlemsnr, markörens nummer, markör, zähler, markør medlemsnummer",
  "Marker/FullName":
    "marker name, marker full name, markørnavn, markørens navn, markörnamn, markør navn, zählername, marker s name",
  gender: "gender, sex, m f, f m, køn, kjønn, kön, geschlecht, g, herre dame",
  hole: "hole, hul, hull, hål, loch, hole no, hole number, hul nr, hullnr, hål nr",
  strokes:
    "strokes, score, slag, gross, gross score, brutto, bruttoscore, antal slag, schläge, antall slag, hole score, bruttoslag",
  rowKind:
    "kind, type, count, row, række, score type, scoretype, resultat type, art, zeile, rad, linje, format, typ, form",
  total:
    "total, total strokes, tot, sum, gross total, total gross, brutto, gross, bruttoscore, slag i alt, i alt, summa, gesamt, summe, resultat, result, score, total score",
  out: "out, ud, ut, first nine, front nine, front, f9, aus, ud 9, hinaus, ude",
  in: "in, ind, inn, back nine, back, b9, ind 9, hjem, ein, inde",
  net: "net, netto, net total, nettoscore, net score, total net",
  points:
    "points, point, stableford, stableford points, stablefordpoint, poäng, poeng, punkte, total points, point i alt, pts, nettopunkte",
  position:
    "pos, position, place, plads, placering, plassering, placering nr, rang, platz, nr, no, rank, bib, startnr, start nr, start no, flight, bold, boldnr",
};

/** Headings that may be an index or a course handicap, which the numbers below them tell. */
const eitherHandicap = "hcp, handicap, handikap, vorgabe, hcap, hdcp, hc, hándicap";

/** A heading as it is compared: in lower case, with words instead of signs. */
export const plainHeading = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Whether a column has no heading of its own, only its place. */
export const isUnnamed = (name: string): boolean => /^\(\d+\)$/.test(name);

/** What a heading may be above: a field of a card, or what a field is made of. */
export type HeadingKind = string;

const kinds = new Map<string, HeadingKind[]>();
for (const [kind, list] of [...Object.entries(headings), ["handicap", eitherHandicap] as const]) {
  for (const heading of list.split(",").map(plainHeading))
    kinds.set(heading, [...(kinds.get(heading) ?? []), kind]);
}

/** What a heading may be above, the likeliest first; empty if it is none that is known. */
export function kindsOfHeading(heading: string): readonly HeadingKind[] {
  const plain = plainHeading(heading);
  return kinds.get(plain) ?? [];
}

/** How early a heading stands among those of its kind; the earliest is the plainest. */
export function rankOfHeading(heading: string, kind: HeadingKind): number {
  const place = (headings[kind] ?? eitherHandicap)
    .split(",")
    .map(plainHeading)
    .indexOf(plainHeading(heading));
  return place === -1 ? Number.POSITIVE_INFINITY : place;
}

/** What a heading may say of its hole, as in `Hole 1 (par 4, index 7)`. */
const aboutHole = /(?<=\d)(?: (?:par|si|index|indeks|idx|hcp) \d{1,2})+$/;

const maxHoles = 72;
const holesOfRound = 18;

/** The hole that a heading is above, and what stands around its number, as in `Hole 1 strokes`; hole 19 is hole 1 of the second round. */
export function holeOfHeading(
  heading: string,
): { readonly hole: number; readonly round: number; readonly around: string } | undefined {
  const plain = plainHeading(heading).replace(aboutHole, "");
  const [, before = "", digits, after = ""] = /^(.*?)(\d{1,2})(\D*)$/.exec(plain) ?? [];
  const number = Number(digits);
  if (!(number >= 1 && number <= maxHoles)) return undefined;
  const round = Math.ceil(number / holesOfRound);
  return { hole: number - (round - 1) * holesOfRound, round, around: `${before.trim()}#${after.trim()}` };
}

/** Rows that are about the course or all players, by what stands in one of their cells. */
const asideWords = new Set(
  "par,index,stroke index,si,s i,hcp,hcp index,handicap,hole index,indeks,idx,average,avg,gennemsnit,snit,gjennomsnitt,genomsnitt,durchschnitt,mean,median,total,totals,sum,i alt,summe,gesamt,length,meter,metres,meters,længde,lengde,längd,länge,m,yards,hole,hul,hull,hål,loch,max,min,field average,spillere,players,antal,number of players".split(
    ",",
  ),
);

const nineWords = {
  front: new Set("out,ud,ut,aus,front,front 9,front nine,f9,1 9,hole 1 9,hul 1 9,første 9".split(",")),
  back: new Set("in,ind,inn,ein,back,back 9,back nine,b9,10 18,hole 10 18,hul 10 18,sidste 9".split(",")),
};

/** Whether a text names the nine that is played first, or last. */
export const isNineWord = (text: string, nine: keyof typeof nineWords): boolean =>
  nineWords[nine].has(plainHeading(text));

/** What is counted on a hole beside strokes. */
const otherCounts = new Set(
  "adj,adjusted,justeret,justert,esc,ndb,putts,putt,fairway,fairways,fir,gir,green,greens,bunker,penalty,penalties,straf,strafslag,drive,chip,chips,sand,updown".split(
    ",",
  ),
);

/** Whether words around holes' numbers say that the numbers are not of the round's strokes. */
export const isOtherCount = (word: string): boolean => otherCounts.has(word);

const holeWords = new Set("hole,hul,hull,hål,loch".split(","));

/** Whether a word beside a hole's number says that the numbers are of the course. */
export const isCourseWord = (word: string): boolean => isAsideWord(word) && !holeWords.has(word);

/** Headings of sums and handicaps in which numbers are not a member's. */
export const isMemberHeading = (heading: string): boolean =>
  kindsOfHeading(heading).some((kind) => kind === "Player/UnionID" || kind === "Player/LifeTimeID");

const grossWords = new Set("gross,brutto,bruttoscore,strokes,slag,schläge,gross score".split(","));

/** Whether a word beside a hole's number says that its numbers are strokes as they were played. */
export const isGrossWord = (word: string): boolean => grossWords.has(word);

/** Formats in which a side has one score: nobody's round. */
export const sideFormats =
  /(four.?ball|better.?ball|best.?ball|bedste bold|scramble|texas|greensome|foursomes?|foursome|vierer|zweier|makker|parturnering|par.?match|hold.?turnering|team.?score|bästboll|fyrboll)/iu;

/** Whether a cell says that its row is no player's. */
export const isAsideWord = (text: string): boolean => asideWords.has(plainHeading(text));
