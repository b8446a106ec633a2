import type { FastifyInstance } from "fastify";
import type { Entrance } from "./entrance.ts";
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
