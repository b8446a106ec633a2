import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a union saw it. */
export interface SeenRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** What a union answers; `late` for nothing at all, as long as anyone waits. */
export type CommandedAnswer = { readonly status: number; readonly text: string } | "late";

/** A union that says of members and their records what a test has it say, and has neither clubs nor courses. */
export interface UnionOnCommand {
  readonly address: string;
  /** Requests for members and records, in order. */
  readonly seen: SeenRequest[];
  answer: CommandedAnswer;
  stop(): Promise<void>;
}

/** Starts one on 127.0.0.1. */
export async function startUnionOnCommand(): Promise<UnionOnCommand> {
  const union = { seen: [] as SeenRequest[], answer: { status: 404, text: "" } as CommandedAnswer };
  const server = createServer(({ url = "", headers }, response) => {
    if (!/golfer|memberships/i.test(url)) {
      response.end("[]");
      return;
    }
    union.seen.push({ url, headers });
    if (union.answer === "late") return;
    response.statusCode = union.answer.status;
    response.end(union.answer.text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(union, {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
