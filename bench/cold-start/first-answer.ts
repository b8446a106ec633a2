import { spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";

/** A bundle to start, with what it is given and first asked. */
interface Start {
  readonly bundle: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly event: unknown;
}

/** Loads a bundle as Lambda does, asks it once, and says how long ago its process began. */
const script = `
import { Writable } from "node:stream";
const { bundle, event } = JSON.parse(process.env.START);
const sink = () => new Writable({ write: (chunk, encoding, done) => done() });
globalThis.awslambda = {
  streamifyResponse: (handler) => (event, context) => handler(event, sink(), context),
  HttpResponseStream: { from: (stream) => stream },
};
const { handler } = await import(bundle);
const context = { awsRequestId: "first", functionName: "measured", getRemainingTimeInMillis: () => 10_000 };
await Promise.resolve(handler(event, context)).catch((error) => error);
process.stdout.write(String(performance.now()));
process.exit(0);
`;

/** Milliseconds from the start of a fresh process to the first answer. */
export async function firstAnswer({ bundle, environment, event }: Start): Promise<number> {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env: {
      AWS_REGION: "eu-north-1",
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
      ...environment,
      // A function that asks another service fails at once: nothing is served at the addresses it is given.
      AWS_MAX_ATTEMPTS: "1",
      START: JSON.stringify({ bundle: pathToFileURL(bundle).href, event }),
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  await once(child, "close");
  // What the function logs comes before.
  const time = Number(/[\d.]+$/.exec(printed)?.[0]);
  if (Number.isNaN(time)) throw new Error(`${bundle} has not answered: ${printed}`);
  return time;
}
