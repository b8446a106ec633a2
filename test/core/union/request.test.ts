import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { askUnion, ResponseTooLargeError } from "../../../core/union/request.ts";
import { answeringUnion, unionThatBreaksOff } from "./answering-union.ts";

const account = { username: "green", password: "secret", unionApiSet: "green", token: "" };

async function startBreakingUnion(brokenRequest: number) {
  const { address, seen } = await unionThatBreaksOff(brokenRequest, "[]");
  const ask = async (method: "GET" | "POST") => {
    const request = { method, path: "Clubs", ...(method === "POST" && { body: "[]" }) };
    const { text } = await askUnion(address, account, { ...request, timeoutMilliseconds: 60_000 });
    // So that the connection is free for the next request.
    await turn();
    return text;
  };
  return { ask, seen };
}

test("a GET is retried once if the union has closed the kept connection", async () => {
  const { ask, seen } = await startBreakingUnion(2);
  await ask("GET");
  expect(await ask("GET")).toBe("[]");
  expect(seen).toEqual(["GET 1", "GET 2", "GET 1"]);
});

test("a POST is never retried, since the union may have taken its cards", async () => {
  const { ask, seen } = await startBreakingUnion(2);
  await ask("POST");
  await expect(ask("POST")).rejects.toThrow(TypeError);
  expect(seen).toEqual(["POST 1", "POST 2"]);
});

test("a GET is sent at most twice if every connection breaks", async () => {
  const { ask, seen } = await startBreakingUnion(1);
  await expect(ask("GET")).rejects.toThrow(TypeError);
  expect(seen).toEqual(["GET 1", "GET 1"]);
});

test("a response that does not end is not read beyond the limit", async () => {
  const closed = Promise.withResolvers<void>();
  const piece = Buffer.alloc(2 ** 20, " ");
  const address = await answeringUnion((_, response) => {
    const go = () => {
      while (response.write(piece));
    };
    response.on("drain", go).on("close", closed.resolve);
    go();
  });
  const request = { method: "GET", path: "Clubs", timeoutMilliseconds: 60_000 } as const;
  await expect(askUnion(address, account, request)).rejects.toThrow(ResponseTooLargeError);
  await closed.promise;
});

test("characters of several bytes stay whole, wherever a response is split into chunks", async () => {
  const text = JSON.stringify("Bækkestensgårdens €-banør".repeat(3));
  const address = await answeringUnion(async (_, response) => {
    for (const byte of Buffer.from(text)) {
      response.write(Buffer.of(byte));
      await turn();
    }
    response.end();
  });
  const request = { method: "GET", path: "Clubs", timeoutMilliseconds: 60_000 } as const;
  expect((await askUnion(address, account, request)).text).toBe(text);
});
