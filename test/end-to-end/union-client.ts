/**
 * A client of the union's API, written from its document alone: nothing in it knows the pipeline. It sends all four
 * headers with every request, takes 200 and 201 for success, and checks every field that the document describes.
 */

/** Where the union is, and who asks. */
export interface UnionClientOptions {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  /** The username, unless the account holder was told otherwise. */
  readonly apiSet?: string;
  /** A player's token from OAuth; empty where nobody has logged in. */
  readonly token?: string;
}

/** A field's type as the document names it, and whether it may be null. */
type Field = readonly [type: keyof typeof types | "any", nullable?: "nullable"];
type Shape = Readonly<Record<string, Field>>;
/** An object of the API. */
export type UnionObject = Readonly<Record<string, unknown>>;

const guid = /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/i;
const timestamp = /^\d{8}T\d{6}$/;

const types = {
  guid: (value: unknown) => typeof value === "string" && guid.test(value),
  string: (value: unknown) => typeof value === "string",
  integer: (value: unknown) => Number.isInteger(value),
  boolean: (value: unknown) => typeof value === "boolean",
  timestamp: (value: unknown) => typeof value === "string" && timestamp.test(value),
  /** Times 10,000; the document carries some as strings. */
  decimal: (value: unknown) => /^-?\d+$/.test(String(value)),
  list: (value: unknown) => Array.isArray(value),
  object: (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value),
};

const club: Shape = {
  ID: ["guid"],
  UnionNumber: ["integer"],
  Name: ["string"],
  ShortName: ["string"],
  AddressLine1: ["string", "nullable"],
  AddressLine2: ["string", "nullable"],
  StreetNumber: ["string", "nullable"],
  Floor: ["string", "nullable"],
  Side: ["string", "nullable"],
  ZipCode: ["string", "nullable"],
  City: ["string", "nullable"],
  PrimaryPhone: ["string", "nullable"],
  PrimaryEmail: ["string", "nullable"],
  Homepage: ["string", "nullable"],
};
const course: Shape = {
  TemplateID: ["guid"],
  ClubID: ["guid"],
  Name: ["string"],
  NumberOfHoles: ["integer"],
  ActivationDate: ["timestamp"],
  IsActive: ["boolean"],
  IsHcpQualifying: ["boolean"],
  IsVisible: ["boolean"],
  Version: ["integer"],
  ID: ["guid"],
};
const tee: Shape = {
  Name: ["string"],
  Gender: ["integer"],
  TotalLength: ["integer"],
  CourseRating: ["decimal"],
  SlopeRating: ["integer"],
  IsNineHole: ["boolean"],
  Holes: ["list"],
};
const hole: Shape = {
  Name: ["string", "nullable"],
  Number: ["integer"],
  Par: ["integer"],
  Index: ["integer", "nullable"],
  Length: ["integer"],
  IdealTime: ["integer", "nullable"],
};
const member: Shape = {
  ID: ["guid"],
  LifeTimeID: ["string"],
  FirstName: ["string"],
  LastName: ["string"],
  Gender: ["string"],
  BirthDate: ["timestamp"],
  RightToPlay: ["boolean"],
  Status: ["integer"],
  Handicap: ["decimal"],
  HandicapStatus: ["integer"],
  Memberships: ["list"],
};
const membership: Shape = {
  ID: ["guid"],
  IsHomeClub: ["boolean"],
  LocalRightToPlay: ["boolean"],
  Type: ["integer"],
  UnionID: ["string"],
  Club: ["object"],
  HomeClub: ["object"],
};
const membershipClub: Shape = {
  ID: ["guid"],
  Name: ["string"],
  ShortName: ["string"],
  UnionNumber: ["integer"],
};

/** @throws Error naming the first field that is not as the document says */
function checked(value: unknown, shape: Shape, what: string): UnionObject {
  if (!types.object(value)) throw new Error(`${what} is not an object.`);
  const entries = value as UnionObject;
  for (const [name, [type, nullable]] of Object.entries(shape)) {
    const field = entries[name];
    if (nullable && (field === null || field === undefined)) continue;
    if (type !== "any" && !types[type](field)) {
      throw new Error(`${what}.${name} is ${JSON.stringify(field)}, which is no ${type}.`);
    }
  }
  return entries;
}

function listOf(value: unknown, read: (entry: unknown) => UnionObject, what: string): UnionObject[] {
  if (!Array.isArray(value)) throw new Error(`${what} is not a list.`);
  return value.map(read);
}

const readClub = (value: unknown) => checked(value, club, "Club");

function readCourse(value: unknown): UnionObject {
  const record = checked(value, course, "Course");
  // Left out, or an empty list, where the tees are excluded: the document says both.
  for (const one of listOf(record.Tees ?? [], (entry) => checked(entry, tee, "Tee"), "Tees")) {
    listOf(one.Holes, (entry) => checked(entry, hole, "Hole"), "Holes");
  }
  return record;
}

function readMember(value: unknown): UnionObject {
  const person = checked(value, member, "Member");
  for (const one of listOf(
    person.Memberships,
    (entry) => checked(entry, membership, "Membership"),
    "Memberships",
  )) {
    checked(one.Club, membershipClub, "Membership.Club");
    checked(one.HomeClub, membershipClub, "Membership.HomeClub");
  }
  return person;
}

/** Query parameters of the two endpoints for courses, by their names in the document. */
export interface CourseParameters {
  readonly changedsince?: string;
  readonly active?: "0" | "1";
  readonly sort?: string;
  readonly sortTee?: string;
  readonly excludeParams?: "tees";
}

/** An answer that is no success. */
export class UnionError extends Error {
  override readonly name = "UnionError";
  readonly status: number;

  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

/** Makes a client. */
export function unionClient({
  baseUrl,
  username,
  password,
  apiSet = username,
  token = "",
}: UnionClientOptions) {
  const headers = {
    Authorization: `Basic ${btoa(`${username}:${password}`)}`,
    "Content-Type": "application/json",
    Accept: "application/json",
  };

  async function ask(path: string, own: { token?: string; body?: unknown } = {}): Promise<unknown> {
    const response = await fetch(`${baseUrl}/${apiSet}/${path}`, {
      method: own.body === undefined ? "GET" : "POST",
      headers: { ...headers, Token: own.token ?? token },
      ...(own.body !== undefined && { body: JSON.stringify(own.body) }),
    });
    const text = await response.text();
    if (response.status !== 200 && response.status !== 201) throw new UnionError(response.status);
    return JSON.parse(text);
  }
  const query = (parameters: CourseParameters) => {
    const text = new URLSearchParams(Object.entries(parameters)).toString();
    return text === "" ? "" : `?${text}`;
  };

  return {
    clubs: async () => listOf(await ask("Clubs"), readClub, "Clubs"),
    club: async (clubId: string) => readClub(await ask(`Clubs/${clubId}`)),
    courses: async (clubId: string, parameters: CourseParameters = {}) =>
      listOf(await ask(`clubs/${clubId}/courses${query(parameters)}`), readCourse, "Courses"),
    course: async (clubId: string, courseId: string, parameters: CourseParameters = {}) =>
      readCourse(await ask(`clubs/${clubId}/courses/${courseId}${query(parameters)}`)),
    golfer: async (lifetimeID: string) => readMember(await ask(`Clubs/Golfer?lifetimeID=${lifetimeID}`)),
    /** As the document's example joins the parameters. */
    golferByBoth: async (lifetimeID: string, unionID: string) =>
      readMember(await ask(`Clubs/Golfer?lifetimeID=${lifetimeID}?unionID=${unionID}`)),
    golferByUnionId: async (unionID: string) => readMember(await ask(`Clubs/Golfer?unionID=${unionID}`)),
    golferByAccessToken: async (accessToken: string) =>
      readMember(await ask("clubs/Golfer_ByAccessToken", { token: accessToken })),
    /** Its API set at the union is not the account's, and the document does not describe it. */
    playerRecord: (clubId: string, unionID: string) =>
      ask(`clubs/${clubId}/Memberships/Scorecards?unionid=${unionID}`),
    /** Posts scorecards, and gets them back as they were submitted. */
    submit: async (path: string, cards: readonly UnionObject[]) =>
      listOf(await ask(path, { body: cards }), (card) => checked(card, {}, "Scorecard"), "Scorecards"),
  };
}
