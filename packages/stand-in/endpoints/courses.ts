import type { FastifyInstance } from "fastify";
import { courseOfToday } from "../register/register.ts";
import { presentVersion, selectVersions } from "./course-selection.ts";
import type { Entrance } from "./entrance.ts";
import type { Query } from "./query.ts";
import { RefusalError } from "./refusal.ts";
import type { Union } from "./union.ts";

/** Endpoints 1 and 2: all clubs, and one club. @see union-api, Endpoints */
export function clubEndpoints(app: FastifyInstance, union: Union, entrance: Entrance): void {
  app.get("/:apiset/Clubs", { onRequest: entrance("clubs", "clubs") }, async () => union.register.clubs);

  app.get<{ Params: { clubId: string } }>(
    "/:apiset/Clubs/:clubId",
    { onRequest: entrance("club", "clubs") },
    async (request) => {
      const club = union.register.club(request.params.clubId);
      if (club === undefined) throw new RefusalError(404, "There is no club with this ID.");
      return club;
    },
  );
}

/** Endpoints 3 and 4: a club's course versions, and one course. @see union-api, Endpoints */
export function courseEndpoints(
  app: FastifyInstance,
  union: Union,
  entrance: Entrance,
  now: () => Date,
  language: string,
): void {
  app.get<{ Params: { clubId: string }; Querystring: Query }>(
    "/:apiset/Clubs/:clubId/Courses",
    { onRequest: entrance("courses", "courses") },
    async ({ params: { clubId }, query }) => {
      if (union.register.club(clubId) === undefined)
        throw new RefusalError(404, "There is no club with this ID.");
      const selected = selectVersions(union.register.coursesOf(clubId), query, language);
      return selected.map(({ version }) => presentVersion(version, query, language));
    },
  );

  app.get<{ Params: { clubId: string; courseId: string }; Querystring: Query }>(
    "/:apiset/Clubs/:clubId/Courses/:courseId",
    { onRequest: entrance("course", "courses") },
    async (request) => {
      const { params, query } = request;
      const ofClub = union.register
        .versions(params.courseId)
        .filter(({ version }) => version.ClubID.toUpperCase() === params.clubId.toUpperCase());
      const named = ofClub.filter(
        ({ version }) => version.ID.toUpperCase() === params.courseId.toUpperCase(),
      );
      const selected = selectVersions(named.length > 0 ? named : ofClub, query, language);
      const shown = courseOfToday(selected, now());
      if (shown === undefined) throw new RefusalError(404, "There is no such course.");
      return presentVersion(shown.version, query, language);
    },
  );
}
