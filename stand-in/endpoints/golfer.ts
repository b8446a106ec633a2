import type { FastifyInstance } from "fastify";
import type { Member } from "../register/records.ts";
import type { Union } from "../union.ts";
import type { Entrance } from "./entrance.ts";
import type { Query } from "./query.ts";
import { Refusal } from "./refusal.ts";

/** Endpoint 5: a member with all memberships, by one identifier or by both. @see union-api, Member lookup */
export function golferEndpoint(
  app: FastifyInstance,
  union: Union,
  entrance: Entrance,
  present: (member: Member) => Member,
): void {
  app.get<{ Querystring: Query }>(
    "/:apiset/Clubs/Golfer",
    { onRequest: entrance("golfer", "golfer") },
    async ({ query }) => {
      const member = union.register.member({ lifeTimeId: query.lifetimeid, unionId: query.unionid });
      if (member === undefined) throw new Refusal(404, "There is no such member.");
      return present(member);
    },
  );
}
