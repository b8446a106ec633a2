import * as z from "zod/mini";
import { documentedClub, documentedCourseVersion } from "../../core/golf/documented-course.ts";
import { documentedMember } from "../../core/union/documented-member.ts";

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

/** An object of the API. */
export type UnionObject = Readonly<Record<string, unknown>>;

/** Tees are left out, or an empty list, if they are excluded: the document says both. */
const course = z.partial(documentedCourseVersion, { Tees: true });
const card = z.record(z.string(), z.unknown());

/** Query parameters of the two endpoints for courses, by their names in the document. */
export interface CourseParameters {
  readonly changedsince?: string;
  readonly active?: "0" | "1";
  readonly sort?: string;
  readonly sortTee?: string;
  readonly excludeParams?: "tees";
}

/**
 * Makes a client of the union's API as its document describes it: it sends all four headers with every request, takes 200 and 201
 * for success, and checks every field that the document describes.
 */
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

  /** @throws ZodError naming the fields that are not as the document says */
  async function ask<Schema extends z.ZodMiniType>(
    path: string,
    schema: Schema,
    own: { token?: string; body?: unknown } = {},
  ): Promise<z.output<Schema>> {
    const response = await fetch(`${baseUrl}/${apiSet}/${path}`, {
      method: own.body === undefined ? "GET" : "POST",
      headers: { ...headers, Token: own.token ?? token },
      ...(own.body !== undefined && { body: JSON.stringify(own.body) }),
    });
    const text = await response.text();
    if (response.status !== 200 && response.status !== 201) throw new Error(`HTTP ${response.status}`);
    return schema.parse(JSON.parse(text));
  }
  const query = (parameters: CourseParameters) => {
    const text = new URLSearchParams(Object.entries(parameters)).toString();
    return text === "" ? "" : `?${text}`;
  };

  return {
    clubs: () => ask("Clubs", z.array(documentedClub)),
    club: (clubId: string) => ask(`Clubs/${clubId}`, documentedClub),
    courses: (clubId: string, parameters: CourseParameters = {}) =>
      ask(`clubs/${clubId}/courses${query(parameters)}`, z.array(course)),
    course: (clubId: string, courseId: string, parameters: CourseParameters = {}) =>
      ask(`clubs/${clubId}/courses/${courseId}${query(parameters)}`, course),
    golfer: (lifetimeID: string) => ask(`Clubs/Golfer?lifetimeID=${lifetimeID}`, documentedMember),
    /** As the document's example joins the parameters. */
    golferByBoth: (lifetimeID: string, unionID: string) =>
      ask(`Clubs/Golfer?lifetimeID=${lifetimeID}?unionID=${unionID}`, documentedMember),
    golferByUnionId: (unionID: string) => ask(`Clubs/Golfer?unionID=${unionID}`, documentedMember),
    golferByAccessToken: (token: string) => ask("clubs/Golfer_ByAccessToken", documentedMember, { token }),
    /** Its API set at the union is not the account's, and the document does not describe it. */
    playerRecord: (clubId: string, unionID: string) =>
      ask(`clubs/${clubId}/Memberships/Scorecards?unionid=${unionID}`, z.unknown()),
    /** Posts scorecards, and gets them back as they were submitted. */
    submit: (path: string, cards: readonly UnionObject[]) => ask(path, z.array(card), { body: cards }),
  };
}
