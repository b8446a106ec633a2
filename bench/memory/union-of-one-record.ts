import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exampleRecord } from "../../functions/http/openapi/examples.ts";
import { fitsResponse } from "../../functions/http/response.ts";

/** As many rounds as fit into a response. */
function mostRounds(): string[] {
  const [round] = exampleRecord.map((one) => JSON.stringify(one));
  const rounds = Array<string>(40_000).fill(round ?? "");
  while (!fitsResponse([`[${rounds.join()}]`])) rounds.length -= 500;
  return rounds;
}

/**
 * Starts a union that answers any request with the largest record that fits into a response. It runs until the process ends, and
 * keeps none from ending.
 */
export async function startUnionOfOneRecord() {
  const rounds = mostRounds();
  const record = `[${rounds.join()}]`;
  const server = createServer((_, response) => void response.end(record));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, rounds: rounds.length };
}
