import * as z from "zod/mini";
import { identifierPatterns } from "../core/formats/identifiers.ts";
import {
  documentedMember,
  documentedMembership,
  documentedMembershipClub,
} from "../core/union/documented-member.ts";
import {
  documentedRecordCourse,
  documentedRecordEntry,
  documentedRecordResult,
  documentedRecordRound,
} from "../core/union/documented-record.ts";
import { exampleMember, exampleRecord } from "./examples.ts";
import { defineOperation, header, jsonResponse, problemResponse, query } from "./operation.ts";
import { orEmpty, refer, referToEach } from "./schema.ts";

const memberSchema = documentedMember.register(z.globalRegistry, { id: "Member" });
documentedMembership.register(z.globalRegistry, { id: "Membership" });
documentedMembershipClub.register(z.globalRegistry, { id: "MembershipClub" });
const recordSchema = documentedRecordEntry.register(z.globalRegistry, { id: "RecordedScorecard" });
documentedRecordCourse.register(z.globalRegistry, { id: "RecordedScorecardCourse" });
documentedRecordRound.register(z.globalRegistry, { id: "RecordedScorecardRound" });
documentedRecordResult.register(z.globalRegistry, { id: "RecordedScorecardResult" });

const live = {
  "Cache-Control": { description: "no-store: no personal data is cached.", schema: { type: "string" } },
};

const member = jsonResponse("The person, with all memberships.", refer(memberSchema), {
  headers: live,
  example: exampleMember,
});
const nobody = problemResponse("The union has no member with this number or token.");
const unionFailed = problemResponse(
  "The union could not be reached, returned an invalid response, or refused the account's own credentials there.",
);
const unionLate = problemResponse("The union did not respond in time.");

const lookup = [
  query(
    "lifetimeID",
    "The person's LifeTimeID. Send this parameter, unionID or both.",
    { type: "string", pattern: orEmpty(identifierPatterns.membersLifeTimeId) },
    "010190-001",
  ),
  query(
    "unionID",
    "Club number and member number, joined by a hyphen.",
    { type: "string", pattern: orEmpty(identifierPatterns.unionId) },
    "1001-1",
  ),
  header("Token", "A player's access token, if the client has one; it is passed on to the union.", {
    schema: { type: "string", pattern: "^[!-~]*$" },
  }),
];

/** Members and their records, read from the union with the vendor's own account there; nothing is stored. */
export const memberOperations = [
  defineOperation("getGolfer", {
    summary: "A member, by LifeTimeID or UnionID",
    description:
      "For clubs' representatives; the union decides what an account may see. A second question mark between the " +
      "parameters, as in the union's own example, is understood.",
    parameters: lookup,
    responses: {
      200: member,
      400: problemResponse("Neither parameter, or one in the wrong format."),
      403: problemResponse("The account may not use this, or the union does not let it see this member."),
      404: nobody,
      502: unionFailed,
      504: unionLate,
    },
  }),
  defineOperation("getGolferByAccessToken", {
    summary: "The member who gave consent",
    description:
      "The player logs in at the union and gives consent there; the access token goes in the header Token.",
    responses: {
      200: member,
      400: problemResponse("The header Token is missing or malformed."),
      403: problemResponse("The account may not use this, or the union does not accept the player's token."),
      404: nobody,
      502: unionFailed,
      504: unionLate,
    },
  }),
  defineOperation("getPlayerRecord", {
    summary: "A player's record",
    description:
      "The rounds in the player's record at the union, as the union gives them, each with its Score Differential (SGD). " +
      "The union decides what an account may see. Its document does not describe these records, so there may be other fields.",
    parameters: [
      {
        ...query(
          "unionid",
          "The player's UnionID in this club: club number and member number, joined by a hyphen.",
          { type: "string", pattern: identifierPatterns.unionId },
          "1001-1",
        ),
        required: true,
      },
    ],
    responses: {
      200: jsonResponse("The rounds, in the union's order.", referToEach(recordSchema), {
        headers: live,
        example: exampleRecord,
      }),
      400: problemResponse("No UnionID, or one in the wrong format."),
      403: problemResponse("The account may not use this, or the union does not let it read this record."),
      404: problemResponse(
        "The union has no record of such a player in this club, or there is no such club.",
      ),
      502: unionFailed,
      504: unionLate,
    },
  }),
];
