import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { commandProcess } from "./command-process.ts";
import { printable } from "./terminal.ts";

/** Reads one line of stdin, without echo on a terminal. */
export async function askFor(question: string): Promise<string> {
  const { stdin, stderr } = commandProcess();
  const isTerminal = stdin.isTTY === true;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (isTerminal) stderr.write(printable(question));
  const lines = createInterface({ input: stdin, output: silent, terminal: isTerminal });
  try {
    for await (const line of lines) return line.trim();
    return "";
  } finally {
    lines.close();
    if (isTerminal) stderr.write("\n");
  }
}
