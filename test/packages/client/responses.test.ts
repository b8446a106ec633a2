import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { createClient } from "../../../packages/client/index.ts";

const vendor = { username: "greens", password: "secret", apiSet: "greens" };
const read = (api: string) => createClient({ api, ...vendor, retrySeconds: 0 }).clubs();

/** The error message for a response. */
async function saidOf(status: number, body: string, length = Buffer.byteLength(body)): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(status, { "Content-Length": length });
    response.write(body, () => body.length < length && request.socket.destroy());
    if (body.length === length) response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await read(`${api}/test`).then(
      () => "read",
      (error: Error) => error.message.replaceAll(api, "http://api"),
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const question =
  "Check the base address http://api/test: it has the form https://{host}/{stage}, without an API set.";

describe("an unexpected response", () => {
  test.each([
    [
      404,
      '{"title":"No such path","detail":"There is nothing."}',
      `No such path. There is nothing. ${question}`,
    ],
    [403, '{"message":"Forbidden"}', question],
  ])(
    "an error says to check the address if that may be wrong, as after %i %s",
    async (status, body, said) => {
      expect(await saidOf(status, body)).toMatch(new RegExp(`^HTTP ${status}(: |\\. )`));
      expect(await saidOf(status, body)).toContain(said);
    },
  );

  test.each([
    [403, '{"title":"Forbidden","detail":"Ask the operator."}', "HTTP 403: Forbidden. Ask the operator."],
    [401, "", "HTTP 401"],
  ])(
    "an error has the API's own text if the address is right, as after %i %s",
    async (status, body, said) => {
      expect(await saidOf(status, body)).toBe(said);
    },
  );
});

describe("no response", () => {
  test("an unreachable server is an error with the address and the reason", async () => {
    await expect(read("http://127.0.0.1:3/test")).rejects.toThrow(
      "No response from http://127.0.0.1:3: connect ECONNREFUSED 127.0.0.1:3.",
    );
  });

  test("a response that breaks off is an error with the address and the reason", async () => {
    expect(await saidOf(200, "[", 100)).toMatch(/^No response from http:\/\/api: .+\.$/);
  });
});
