import { Console } from "node:console";
import type { ClientRequest } from "node:http";
import { createRequire, isBuiltin } from "node:module";
import { dirname } from "node:path";
import { Writable } from "node:stream";
import timers from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { engineRequest } from "./engine-request.ts";
import { builtinName, importName, metaName } from "./shared-module.ts";

/** What belongs to an environment alone, although its thread has others. */
export interface EnvironmentGlobals {
  /** Values of the names in `globalNames`, and of those that a compiled module uses. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Breaks its connections. From then on it cannot open any, and none of its timers fires. */
  end(): void;
}

interface GlobalsDependencies {
  readonly variables: Readonly<Record<string, string>>;
  /** Called with each line that it prints. */
  readonly log: (line: string) => void;
  /** Called if its code ends the process. */
  readonly exit: (code: number) => void;
}

/** The global names that have a value of each environment's own. */
export const globalNames = [
  "process",
  "console",
  "globalThis",
  "global",
  "setTimeout",
  "setInterval",
  "setImmediate",
] as const;

/** A module as `import * as` shows it. Nothing is read in advance: `node:http` would load all that `fetch` needs. */
function toNamespace(module: object): object {
  return Object.create(module, { default: { value: module } });
}

/** Calls back with each line that is written. */
function lineStream(log: (line: string) => void): Writable {
  let rest = "";
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach(log);
      done();
    },
  });
}

/** As in a process, every value of a variable becomes text. */
function ownVariables(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return new Proxy<NodeJS.ProcessEnv>(
    { ...variables },
    {
      set(target, name, value) {
        target[String(name)] = String(value);
        return true;
      },
    },
  );
}

/** Timers that do not fire once the environment has ended. */
function ownTimers(isAlive: () => boolean) {
  type StartTimer = (callback: (...given: unknown[]) => void, ...rest: unknown[]) => unknown;
  const whileAlive = <Value>(promise: Promise<Value>) =>
    new Promise<Value>((resolve, reject) => {
      promise.then(
        (value) => isAlive() && resolve(value),
        (error: unknown) => isAlive() && reject(error),
      );
    });
  const guarded = (start: unknown): StartTimer => {
    return (callback, ...rest) =>
      (start as StartTimer)(
        (...given) => {
          if (isAlive()) callback(...given);
        },
        ...rest,
      );
  };
  const promises = {
    ...timers,
    setTimeout: (...given: Parameters<typeof timers.setTimeout>) => whileAlive(timers.setTimeout(...given)),
    setImmediate: (...given: Parameters<typeof timers.setImmediate>) =>
      whileAlive(timers.setImmediate(...given)),
  };
  const callbacks = {
    setTimeout: Object.assign(guarded(setTimeout), { [promisify.custom]: promises.setTimeout }),
    setInterval: guarded(setInterval),
    setImmediate: Object.assign(guarded(setImmediate), { [promisify.custom]: promises.setImmediate }),
  };
  return { promises, callbacks };
}

/** `node:http` and `node:https` whose requests break when the environment ends. */
function ownRequests(isAlive: () => boolean) {
  const open = new Set<ClientRequest>();
  type StartRequest = (...given: unknown[]) => ClientRequest;
  const tracked = (module: object, start: unknown): StartRequest => {
    return (...given) => {
      const request =
        engineRequest(given[0], given[1] as undefined) ?? (start as StartRequest).apply(module, given);
      if (isAlive()) {
        open.add(request);
        request.once("close", () => open.delete(request));
      } else request.destroy();
      return request;
    };
  };
  const wrap = (name: "node:http" | "node:https"): object => {
    const module = process.getBuiltinModule(name);
    const own = { request: tracked(module, module.request), get: tracked(module, module.get) };
    return Object.assign(Object.create(module) as object, own);
  };
  const modules = new Map<string, object>();
  return {
    module(name: "node:http" | "node:https"): object {
      const known = modules.get(name) ?? wrap(name);
      modules.set(name, known);
      return known;
    },
    end(): void {
      for (const request of open) request.destroy();
    },
  };
}

/** The properties of `process` by which an environment reads its variables and ends itself. */
const describeProcess = (
  variables: Readonly<Record<string, string>>,
  exit: (code: number) => void,
): PropertyDescriptorMap => ({
  env: { value: ownVariables(variables), writable: true },
  exit: {
    value(code = 0) {
      exit(code);
      throw new Error(`The process has exited with status ${code}.`);
    },
  },
});

/** @param file of the environment's code */
export function environmentGlobals(
  file: string,
  { variables, log, exit }: GlobalsDependencies,
): EnvironmentGlobals {
  let alive = true;
  const isAlive = () => alive;
  const { promises, callbacks } = ownTimers(isAlive);
  const requests = ownRequests(isAlive);
  const write = (line: string): void => {
    if (alive) log(line);
  };
  const [stdout, stderr] = [lineStream(write), lineStream(write)];
  const ownConsole = new Console({ stdout, stderr });

  const fromFile = createRequire(file);
  const builtin = (name: string): object => {
    const full = name.startsWith("node:") ? name : `node:${name}`;
    if (full === "node:http" || full === "node:https") return requests.module(full);
    return own[full] ?? process.getBuiltinModule(full as "node:fs");
  };
  const requireOwn = (name: string): unknown => (isBuiltin(name) ? builtin(name) : fromFile(name));
  const ownProcess = Object.create(process, {
    ...describeProcess(variables, exit),
    stdout: { value: stdout },
    stderr: { value: stderr },
    getBuiltinModule: { value: (name: string) => (isBuiltin(name) ? builtin(name) : undefined) },
  }) as object;
  const own: Readonly<Record<string, object>> = {
    "node:process": ownProcess,
    "node:console": Object.assign(Object.create(console) as object, ownConsole),
    "node:timers": { ...process.getBuiltinModule("node:timers"), ...callbacks, promises },
    "node:timers/promises": promises,
    "node:module": Object.assign(Object.create(process.getBuiltinModule("node:module")) as object, {
      createRequire: () => requireOwn,
    }),
  };
  const globals = { ...callbacks, process: ownProcess, console: ownConsole };
  // Defined, not assigned: some of the thread's own have setters.
  const ownGlobal = Object.create(globalThis, Object.getOwnPropertyDescriptors(globals)) as object;
  for (const name of ["globalThis", "global"]) Object.defineProperty(ownGlobal, name, { value: ownGlobal });
  const url = pathToFileURL(file).href;
  return {
    values: {
      ...globals,
      globalThis: ownGlobal,
      global: ownGlobal,
      [builtinName]: (name: string) => toNamespace(builtin(name)),
      [importName]: async (name: string): Promise<unknown> =>
        isBuiltin(name) ? toNamespace(builtin(name)) : import(pathToFileURL(fromFile.resolve(name)).href),
      [metaName]: { url, filename: file, dirname: dirname(file), resolve: fromFile.resolve },
    },
    end() {
      alive = false;
      requests.end();
    },
  };
}
