import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A union of one club with one course, written from the union's document and from nothing else of this project. */
export interface TinyUnion {
  readonly address: string;
  /** All cards that were posted to its exchange. */
  readonly cards: Record<string, unknown>[];
  readonly courseId: string;
  readonly clubId: string;
  readonly teeId: string;
  /** The strokes of a round of its course. */
  readonly pars: readonly number[];
  stop(): Promise<void>;
}

const clubId = "0B6F2D1C-1111-4C4C-9E9E-000000000001";
const courseId = "0B6F2D1C-2222-4C4C-9E9E-000000000002";
const teeId = "0B6F2D1C-3333-4C4C-9E9E-000000000003";
const pars = [4, 5, 3, 4, 4, 3, 5, 4, 4];

const club = { ID: clubId, UnionNumber: 7, Name: "Hedens Golfklub", ShortName: "HED" };
const course = {
  ID: courseId,
  TemplateID: "0B6F2D1C-4444-4C4C-9E9E-000000000004",
  ClubID: clubId,
  Name: "Heden",
  NumberOfHoles: 9,
  ActivationDate: "20200331T220000",
  IsActive: true,
  IsHcpQualifying: true,
  IsVisible: true,
  Version: 3,
  Tees: [
    {
      ID: teeId,
      Name: "Rød",
      Gender: 1,
      TotalLength: 2500,
      CourseRating: 345_000,
      SlopeRating: 118,
      IsNineHole: true,
      Holes: pars.map((Par, hole) => ({ Number: hole + 1, Par, Index: hole + 1, Length: 280 })),
    },
  ],
};

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** Starts it on a free port. */
export async function startTinyUnion(): Promise<TinyUnion> {
  const cards: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    const path = new URL(request.url ?? "", "http://union").pathname.replace(/^\/[^/]+/, "").toLowerCase();
    const answer = (document: unknown) => {
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(document));
    };
    if (path === "/clubs") answer([club]);
    else if (path.endsWith("/courses")) answer([course]);
    else if (path === "/clubs/members/exchangedscorecards") {
      const posted: Record<string, unknown>[] = JSON.parse(body);
      cards.push(...posted);
      answer(posted);
    } else response.writeHead(500).end("Internal Server Error");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cards,
    courseId,
    clubId,
    teeId,
    pars,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
