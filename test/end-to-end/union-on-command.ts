import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { type OneMachine, startOneMachine } from "../../local/pipeline/one-machine.ts";
import { assemblyOf } from "../synthesized-stack.ts";

/** A request as a union saw it. */
export interface SeenRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** What a union answers; `late` for nothing at all, as long as anyone waits. */
export type CommandedAnswer = { readonly status: number; readonly text: string } | "late";

/** A union that says of members and their records what a test has it say, and has neither clubs nor courses. */
interface UnionOnCommand {
  readonly address: string;
  /** Requests for members and records, in order. */
  readonly seen: SeenRequest[];
  answer: CommandedAnswer;
  stop(): Promise<void>;
}

/** Starts one on 127.0.0.1. */
async function startUnionOnCommand(): Promise<UnionOnCommand> {
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

/** A local run with such a union, for the tests of one file, after which both end. @param assembly folder of the cloud assembly */
export async function provideUnionOnCommand(assembly?: string): Promise<{
  readonly union: UnionOnCommand;
  readonly machine: OneMachine;
  /** All that the functions have logged. */
  readonly logs: readonly string[];
}> {
  const logs: string[] = [];
  const union = await startUnionOnCommand();
  const machine = await startOneMachine({
    assembly: assembly ?? (await assemblyOf()),
    port: 0,
    union: union.address,
    log: ({ function: name, text }) => logs.push(`${name}: ${text}`),
    progress: () => undefined,
  });
  afterAll(() => Promise.all([machine.stop(), union.stop()]));
  return { union, machine, logs };
}
