import { fields } from "../../core/golf/scorecard.ts";
import { answeredFields, sortProperties } from "./fields.ts";

/** Something that the union's document says, and the test that proves it of this API. */
export interface Proof {
  readonly said: string;
  /** File of the test, below test/. */
  readonly file: string;
  /** The test's name as it is in its file, with `%s` where it is for several. */
  readonly test: string;
}

/** What the union's document says in one of its sections. */
export interface ProofTable {
  readonly title: string;
  readonly rows: readonly Proof[];
}

const api = "end-to-end/union-api.test.ts";
const way = "end-to-end/main-way.test.ts";
const members = "end-to-end/members.test.ts";
const login = "end-to-end/login.test.ts";
const cards = "core/golf/fields.test.ts";

const row = (said: string, file: string, test: string): Proof => ({ said, file, test });

const answered = (shape: keyof typeof answeredFields, test: string): ProofTable => ({
  title: `Fields of ${shape}`,
  rows: answeredFields[shape].map((field) => row(field, api, test)),
});

const sent = (title: string, part: keyof typeof fields, below: string): ProofTable => ({
  title,
  rows: Object.keys(fields[part]).map((field) => row(`${below}/${field}`, cards, "the field $pointer")),
});

const asGiven = "has %s as the union gives it";

/** All that the union's document says of its API, table by table. */
export const proofTables: readonly ProofTable[] = [
  {
    title: "Endpoints",
    rows: [
      row("1. GET Clubs", api, "GET %s lists all clubs"),
      row("2. GET Clubs/<club_id>", api, "GET %s/<club_id> is one club"),
      row(
        "3. GET clubs/<club_id>/courses",
        api,
        "GET %s/<club_id>/courses lists the course versions of a club",
      ),
      row(
        "4. GET clubs/<club_id>/courses/<course_id>",
        api,
        "GET clubs/<club_id>/courses/<course_id> takes the ID of a version and a TemplateID",
      ),
      row(
        "5. GET Clubs/Golfer",
        api,
        "GET Clubs/Golfer finds a member by lifetimeID, by unionID, and by both after a second question mark",
      ),
      row("6. GET clubs/Golfer_ByAccessToken", members, "a vendor with a player's token"),
      row(
        "7. Scorecard submission",
        way,
        "comes back whole, with its ID and every derived field, and is delivered like that",
      ),
      row(
        "7. The path that the union's own app uses",
        way,
        "may be posted where the union's own app posts it",
      ),
      row("8. GET login.aspx", login, "is a form that anybody gets"),
      row(
        "8. the page of an account",
        login,
        "lists what the account may use and nothing else, with its limits",
      ),
    ],
  },
  {
    title: "Query parameters of endpoints 3 and 4",
    rows: [
      row("changedsince", api, "changedsince returns what changed after that moment"),
      row("active", api, "active=%i returns what is so by IsActive"),
      ...sortProperties.sort.map((property) =>
        row(`sort=${property}:0 and :1`, api, "sort takes %s in both directions"),
      ),
      row("sort by several", api, "sort takes several properties, with commas between"),
      ...sortProperties.sortTee.map((property) =>
        row(`sortTee=${property}:0 and :1`, api, "sortTee takes %s in both directions"),
      ),
      row("excludeParams=tees", api, "excludeParams=tees leaves the tees out"),
      row("any other value", api, "%s is refused with what is allowed"),
    ],
  },
  {
    title: "Query parameters of endpoint 5",
    rows: ["lifetimeID", "unionID", "both, joined by a second question mark"].map((said) =>
      row(
        said,
        api,
        "GET Clubs/Golfer finds a member by lifetimeID, by unionID, and by both after a second question mark",
      ),
    ),
  },
  answered("Club", asGiven),
  answered("Course", asGiven),
  answered("Tee", asGiven),
  answered("Hole", "has %s of each hole as the union gives it"),
  answered("Member", asGiven),
  answered("Membership", "has %s of each membership as the union gives it"),
  sent("Fields of Scorecard", "card", ""),
  sent("Fields of Scorecard.Course", "course", "/Course"),
  sent("Fields of Scorecard.Course.Holes", "hole", "/Course/Holes/2"),
  sent("Fields of Scorecard.Round", "round", "/Round"),
  sent("Fields of Scorecard.Result", "result", "/Result"),
  sent("Fields of Scorecard.Player", "player", "/Player"),
  sent("Fields of Scorecard.Marker", "marker", "/Marker"),
  {
    title: "Authentication",
    rows: [
      row(
        "HTTP Basic",
        "core/accounts/authenticate.test.ts",
        "signing in finds the account whose password is right",
      ),
      row(
        "the scheme, if credentials are missing",
        "lib/gateway-responses.test.ts",
        "a client without credentials is told the scheme, the realm and the character set",
      ),
      row("API Set", way, "cannot use another's API set with its own credentials"),
      row(
        "Account scope",
        "functions/authorize/access-policy.test.ts",
        "an account may send the requests of its resources and no others, whichever resources it has",
      ),
      row(
        "Account scope, over HTTP",
        way,
        "without the scorecards resource may read clubs and courses, and nothing else",
      ),
      row(
        "All four headers, to the union",
        members,
        "is who asks at the union: by its credentials there, with all four headers",
      ),
      row("Header Token of endpoint 6", members, "gets nothing by the token %j"),
      row("Both spellings of a path", way, "reaches %s in any case, empty segments passed over"),
    ],
  },
  {
    title: "Errors",
    rows: [
      row(
        "A failed request has an error status and a message",
        "lib/gateway-responses.test.ts",
        "every refusal of API Gateway itself is a problem document that says what to do",
      ),
      row(
        "Invalid data is no error at the union; here it is",
        way,
        "refuses the whole submission, with every fault of every card",
      ),
      row(
        "A wrong course or tee is echoed by the union; here it is refused",
        way,
        "on a course that nobody has is called so, and nothing waits",
      ),
      row("What does not exist", api, "%s is 404"),
      row("A member that does not exist", members, "a vendor that looks a member up"),
      row("The union fails or takes too long", members, "where the union"),
    ],
  },
  {
    title: "Limits",
    rows: [row("Scorecards and bytes of a submission", way, "is told the limits of a submission")],
  },
];
