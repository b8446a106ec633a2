import type { Operation, Parameter, Response } from "./operation.ts";
import { jsonResponse, problemResponse } from "./responses.ts";
import { schemaOf } from "./schema-reference.ts";

const live: Response["headers"] = {
  "Cache-Control": { description: "no-store: nothing of a person is kept.", schema: { type: "string" } },
};

const member = jsonResponse("The person, with all memberships.", schemaOf("Member"), { headers: live });
const nobody = problemResponse("The union has nobody with this number or token.");
const unionFailed = problemResponse(
  "The union could not be asked, did not answer as it should, or refuses the account's own credentials there.",
);
const unionLate = problemResponse("The union did not answer in time.");

const lookup: readonly Parameter[] = [
  {
    name: "lifetimeID",
    in: "query",
    description: "The person's LifeTimeID. One of the two parameters, or both.",
    schema: { type: "string" },
    example: "010190-001",
  },
  {
    name: "unionID",
    in: "query",
    description: "Club number and member number, joined by a hyphen.",
    schema: { type: "string" },
    example: "1001-1",
  },
  {
    name: "Token",
    in: "header",
    description: "A player's access token, where the client has one; it is handed on to the union.",
    schema: { type: "string" },
  },
];

/** Members, asked of the union with the vendor's own account there; nothing is stored. */
export const memberOperations: readonly Operation[] = [
  {
    method: "get",
    path: "/{apiset}/Clubs/Golfer",
    operationId: "getGolfer",
    resource: "golfer",
    summary: "A member, by LifeTimeID or UnionID",
    description:
      "For clubs' representatives; what an account may see is for the union to say. A second question mark between " +
      "the parameters, as in the union's own example, is understood.",
    parameters: lookup,
    responses: {
      200: member,
      400: problemResponse("Neither parameter, or one that is not of its form."),
      403: problemResponse("The account may not use this, or the union does not let it see this member."),
      404: nobody,
      502: unionFailed,
      504: unionLate,
    },
  },
  {
    method: "get",
    path: "/{apiset}/clubs/Golfer_ByAccessToken",
    operationId: "getGolferByAccessToken",
    resource: "golfer-by-token",
    playerToken: true,
    summary: "The member who gave consent",
    description:
      "The player logs in at the union and gives consent there; the access token goes in the header Token.",
    responses: {
      200: member,
      400: problemResponse("The header Token is missing, or no token."),
      403: problemResponse("The account may not use this, or the union does not accept the player's token."),
      404: nobody,
      502: unionFailed,
      504: unionLate,
    },
  },
];
