/** What an error of the system means, and what to do. `what` is a path, or the name of a host. */
const advice: Readonly<Record<string, (what: string) => string>> = {
  ENOENT: (what) => `There is no file ${what}. Check its path.`,
  ENOTDIR: (what) => `${what} cannot be reached: a part of its path is a file. Check its path.`,
  EISDIR: (what) => `${what} is a folder. Name a file in it.`,
  EACCES: (what) => `No permission for ${what}. Change its permissions, or use another folder.`,
  EPERM: (what) => `No permission for ${what}. Change its permissions, or use another folder.`,
  EROFS: (what) => `${what} cannot be written, because its disk is read-only. Use another folder.`,
  ENOSPC: (what) => `${what} cannot be written, because its disk is full. Make room.`,
  ENOTFOUND: (what) => `There is no host ${what}. Check the address, --stage and AWS_REGION.`,
  EAI_AGAIN: (what) => `The host ${what} cannot be looked up. Check the network and the address.`,
};

interface SystemError extends Error {
  readonly code?: string;
  readonly path?: string;
  readonly hostname?: string;
  readonly issues?: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/** The error and what caused it, the outermost first. */
function listCauses(error: unknown): SystemError[] {
  const chain: SystemError[] = [];
  for (let one = error; one instanceof Error && !chain.includes(one); one = one.cause) chain.push(one);
  return chain;
}

/**
 * An error as one line that says what to do. Errors of the system, such as a missing file or an unknown host, and of schemas
 * say so only in the words of programmers; all others have a message for people.
 *
 * @example errorLine(await readFile("nothing").catch((error) => error)) // "There is no file nothing. Check its path."
 */
export function errorLine(error: unknown): string {
  for (const { code = "", path, hostname, issues } of listCauses(error)) {
    const explain = Object.hasOwn(advice, code) ? advice[code] : undefined;
    const what = path ?? hostname;
    if (explain !== undefined && what !== undefined) return explain(what);
    if (issues !== undefined) {
      const fields = issues.map((one) => `${one.path.join(".") || "it"}: ${one.message}`);
      return `Something has another form than this version expects (${fields.join("; ")}). Use the same version of command and stage.`;
    }
  }
  return error instanceof Error ? error.message || error.name : String(error);
}
