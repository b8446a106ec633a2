import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorLine } from "../base/error-line.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { printableJson, type Terminal } from "../base/terminal.ts";
import { isTable } from "../submit/open-or-ask.ts";
import { submitCommand } from "../submit/submit-command.ts";
import type { SubmitOptions } from "../submit/submit-options.ts";

const lookMilliseconds = 2_000;
/** A file that could not be finished, because the API was away or its table leaves a question open, is tried again. */
const retryMilliseconds = 60_000;

/** What is known of a file: its form at the last look, and when it is tried next. */
interface WaitingFile {
  readonly form: string;
  readonly tryAt: number;
}

/**
 * `scorecards submit --watch FOLDER`: sends each file of cards that is put into the folder, and moves it to `sent` or `refused` with a
 * report, until Ctrl-C. A file is sent once it has not changed between two looks. Its journal is beside it until it is moved, so
 * what a killed run has sent is not sent twice.
 */
export async function watchFolder(
  folder: string,
  options: SubmitOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const waiting = new Map<string, WaitingFile>();
  while (!terminal.signal.aborted) {
    for (const name of await readdir(folder)) {
      if (!isTable(name) && ![".json", ".ndjson"].includes(extname(name).toLowerCase())) continue;
      const found = await stat(join(folder, name)).catch(() => undefined);
      if (found === undefined) continue; // taken away since it was listed
      const form = `${found.size} ${found.mtimeMs}`;
      const known = waiting.get(name);
      if (known?.form !== form) waiting.set(name, { form, tryAt: Date.now() });
      else if (known.tryAt <= Date.now() && !terminal.signal.aborted) {
        const target = await sendFile(folder, name, options, terminal);
        if (target === undefined) waiting.set(name, { form, tryAt: Date.now() + retryMilliseconds });
        else waiting.delete(name);
      }
    }
    await sleep(lookMilliseconds, undefined, { signal: terminal.signal }).catch(() => undefined);
  }
  return exitCode.done;
}

/** Sends a file, and moves it with its report. @returns the folder that it is in now; undefined if it stays */
async function sendFile(folder: string, name: string, options: SubmitOptions, terminal: Terminal) {
  const path = join(folder, name);
  const lines: string[] = [];
  const keep = (line: string | readonly string[]) => void lines.push(...[line].flat());
  const report = { ...terminal, result: keep, note: keep, json: (one: unknown) => keep(printableJson(one)) };
  const code = await submitCommand(path, options, report).catch((error: unknown) => {
    keep(`error: ${errorLine(error)}`);
    return exitCode.unfinished;
  });
  const target = code === exitCode.done ? "sent" : code === exitCode.refused ? "refused" : undefined;
  terminal.result(`${name}: ${target ?? "not finished, and tried again"}. ${lines.at(-1) ?? ""}`);
  const reportPath = `${path}.report.txt`;
  await writeFile(reportPath, lines.map((line) => `${line}\n`).join(""));
  if (target === undefined) return undefined;
  await mkdir(join(folder, target), { recursive: true });
  // A file of the same name may have been sent before.
  const moved = join(folder, target, `${new Date().toISOString().replaceAll(":", "")} ${name}`);
  await rename(reportPath, `${moved}.report.txt`);
  await rm(`${path}.accepted`, { force: true });
  // The last step: if the command is killed before, the file is sent again, which changes nothing.
  await rename(path, moved);
  return target;
}
