import { jsonEndpoint } from "../packages/local-aws/json-endpoint.ts";
import { startLoopbackServer } from "../packages/local-aws/loopback-server.ts";
import { serveUntilStopped } from "./own-process.ts";

/** Reports the table's address. */
export interface AccountTableReady {
  readonly address: string;
}

const { username, passwordHash } = JSON.parse(process.argv[2] ?? "{}") as Record<string, string>;
const item = { username: { S: username }, apiSet: { S: username }, passwordHash: { S: passwordHash } };

/** As much of DynamoDB as finds one account. */
const server = await startLoopbackServer(
  jsonEndpoint((_, body) => {
    const { Key } = body as { Key: { username: { S: string } } };
    return { status: 200, body: Key.username.S === username ? { Item: item } : {} };
  }),
);
const ready: AccountTableReady = { address: server.address };
serveUntilStopped(ready, server.stop);
