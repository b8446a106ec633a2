import type { FastifyInstance } from "fastify";
import type { ReceptionRecord } from "../exchange/record.ts";
import type { RoundOnRecord } from "../processing/recorded-round.ts";
import type { UnionMember } from "../register/records.ts";
import type { Entrance } from "./entrance.ts";
import { requireAgreement } from "./golfer.ts";
import type { Query } from "./query.ts";
import { RefusalError } from "./refusal.ts";
import type { Union } from "./union.ts";

/** The members and processed rounds that the statistics show, and the record that counts their requests. */
export interface StatisticsDependencies {
  readonly union: Union;
  readonly record: ReceptionRecord;
  /** First path segment of the interface, of every account. */
  readonly recordsApiSet: string;
  /** A member's processed rounds, the latest first. */
  readonly recordOf: (member: UnionMember) => readonly RoundOnRecord[];
}

/**
 * The interface from which the union's own app reads a player's record. The union's document does not describe it; its API set
 * is its own, and for every account.
 */
export function statisticsEndpoint(
  app: FastifyInstance,
  entrance: Entrance,
  { union, record, recordsApiSet, recordOf }: StatisticsDependencies,
): void {
  const { records } = record;
  app.get<{ Params: { readonly clubId: string }; Querystring: Query }>(
    `/${recordsApiSet}/clubs/:clubId/Memberships/Scorecards`,
    {
      onRequest: [
        async () => {
          records.atOnce++;
          records.maxAtOnce = Math.max(records.maxAtOnce, records.atOnce);
        },
        entrance("records", "records"),
      ],
      onResponse: async () => {
        records.atOnce--;
      },
    },
    async ({ params, query, account }) => {
      const { unionid } = query;
      if (unionid === undefined) throw new RefusalError(400, "The query parameter unionid is missing.");
      const member = union.register.member({ unionId: unionid });
      const membership = member?.Memberships.find(
        ({ UnionID, Club }) =>
          UnionID.toUpperCase() === unionid.toUpperCase() &&
          Club.ID.toUpperCase() === params.clubId.toUpperCase(),
      );
      if (member === undefined || membership === undefined)
        throw new RefusalError(404, "The club has no such member.");
      requireAgreement(account, member);
      return recordOf(member);
    },
  );
}
