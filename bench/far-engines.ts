import { connect, createServer, type Socket } from "node:net";
import { startDynamoDb } from "@scorecard-pipeline/local-aws/dynamodb";
import { startSqs } from "@scorecard-pipeline/local-aws/sqs";

/** Addresses of engines, as a run takes them instead of its own. */
interface FarEngines {
  readonly dynamodb: string;
  readonly sqs: string;
}

/**
 * Starts the embedded engines at a distance, as the services of a region are: what is sent to them arrives so much later.
 *
 * They run until the process ends.
 */
export async function startFarEngines(milliseconds: number): Promise<FarEngines> {
  const [dynamodb, sqs] = await Promise.all([startDynamoDb(), startSqs("us-east-1")]);
  return {
    dynamodb: await wayTo(dynamodb.address, milliseconds),
    sqs: await wayTo(sqs.address, milliseconds),
  };
}

/** An address that hands everything on to another one, so many milliseconds later. */
async function wayTo(address: string, milliseconds: number): Promise<string> {
  const { hostname, port } = new URL(address);
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port), noDelay: true });
    near.on("data", (sent) => setTimeout(() => far.write(sent), milliseconds));
    far.on("data", (answered) => near.write(answered));
    endTogether(near, far);
    endTogether(far, near);
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("The way to the engine has no port.");
  return `http://127.0.0.1:${bound.port}`;
}

function endTogether(one: Socket, other: Socket): void {
  one.on("error", () => other.destroy());
  one.on("close", () => other.destroy());
}
