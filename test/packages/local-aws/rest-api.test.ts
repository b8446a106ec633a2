import { once } from "node:events";
import { get as httpGet, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { gatewayResponses, provideRun, restApi } from "./cloud-assembly.ts";

const echo = {
  code: `export const handler = async (event) => ({
    statusCode: 200,
    headers: { "X-Echo": "yes", Date: "never" },
    multiValueHeaders: { "Set-Cookie": ["a=1", "b=2"] },
    body: JSON.stringify(event),
  });`,
};

const faulty = {
  code: `export const handler = async ({ queryStringParameters: { how } }) => {
    if (how === "throws") throw new TypeError("no such thing");
    if (how === "dies") process.exit(3);
    if (how === "hangs") for (;;);
    if (how === "is malformed") return { status: 200 };
    if (how === "is large") return { statusCode: 200, body: "x".repeat(6_300_000) };
    if (how === "is throttled") await new Promise(() => {});
    return { statusCode: 204 };
  };`,
  properties: { Timeout: 1, ReservedConcurrentExecutions: 2 },
};

const slow = { code: `export const handler = () => new Promise(() => {});`, properties: { Timeout: 30 } };

const streaming = {
  code: `import { gzipSync } from "node:zlib";
  const { streamifyResponse, HttpResponseStream } = awslambda;
  export const handler = streamifyResponse(async ({ queryStringParameters: { how } }, stream) => {
    if (how === "throws") throw new TypeError("no such thing");
    if (how === "writes no metadata") return void stream.end("body");
    if (how === "only ends") return void HttpResponseStream.from(stream, { statusCode: 200 }).end("body");
    if (how === "has long metadata") {
      const headers = { Long: "x".repeat(17_000) };
      HttpResponseStream.from(stream, { headers }).write("body");
      return void stream.end();
    }
    const headers = { "Content-Encoding": "gzip", "X-How": how };
    const body = gzipSync("x".repeat(20_000_000));
    const response = HttpResponseStream.from(stream, { statusCode: 203, headers });
    response.write(how === "is large" ? Buffer.alloc(7_000_000, "x") : body);
    response.end();
  });`,
};

const streamOf = (name: string) => ({
  type: "aws_proxy",
  httpMethod: "POST",
  uri: {
    "Fn::Join": [
      "",
      [
        "arn:aws:apigateway:eu-north-1:lambda:path/2021-11-15/functions/",
        { "Fn::GetAtt": [name, "Arn"] },
        "/response-streaming-invocations",
      ],
    ],
  },
  responseTransferMode: "STREAM",
});

const methods = [
  { path: "/things", method: "GET", function: "echo" },
  { path: "/things", method: "POST", function: "echo" },
  { path: "/things/{thing}", method: "GET", function: "echo" },
  { path: "/things/{thing}/parts", method: "PUT", function: "echo" },
  { path: "/things/special/parts/{part}", method: "GET", function: "echo" },
  { path: "/faulty", method: "GET", function: "faulty" },
  { path: "/streaming", method: "GET", integration: streamOf("streaming") },
  { path: "/streaming/echo", method: "GET", integration: streamOf("echo") },
  { path: "/streaming/buffered", method: "GET", function: "streaming" },
  { path: "/exacting", method: "GET", function: "echo", required: ["Token", "Agent"] },
  {
    path: "/slow",
    method: "GET",
    integration: {
      type: "aws_proxy",
      httpMethod: "POST",
      uri: "arn:aws:apigateway:eu-north-1:lambda:path/2015-03-31/functions/arn:aws:lambda:eu-north-1:000000000000:function:slow/invocations",
      timeoutInMillis: 100,
    },
  },
];
const refusals = gatewayResponses({
  DEFAULT_5XX: {
    responseParameters: {
      "gatewayresponse.header.Content-Type": "'application/problem+json'",
      "gatewayresponse.header.Retry-After": "'5'",
    },
    responseTemplates: { "application/json": '{"title":"Not now"}' },
  },
  MISSING_AUTHENTICATION_TOKEN: {
    statusCode: "404",
    responseTemplates: { "application/json": '{"told":"No such path"}' },
  },
});
const resources = restApi(methods, undefined, { MinimumCompressionSize: 1000 }, refusals);
const functions = {
  echo,
  faulty,
  streaming,
  slow: { ...slow, properties: { ...slow.properties, FunctionName: "slow" } },
};
const api = await provideRun({ functions, resources });

async function event(path: string, init?: RequestInit): Promise<Record<string, never> & { path: string }> {
  const response = await fetch(`${api.api}${path}`, init);
  expect(response.status).toBe(200);
  return (await response.json()) as never;
}

describe("a request finds its method", () => {
  test("a fixed segment takes precedence over a path parameter", async () => {
    await expect(event("/things")).resolves.toMatchObject({ resource: "/things", pathParameters: null });
    await expect(event("/things/special")).resolves.toMatchObject({
      resource: "/things/{thing}",
      pathParameters: { thing: "special" },
    });
    await expect(event("/things/special/parts/1")).resolves.toMatchObject({
      resource: "/things/special/parts/{part}",
    });
  });

  test("a path parameter matches if a fixed segment leads nowhere", async () => {
    await expect(event("/things/special/parts", { method: "PUT" })).resolves.toMatchObject({
      resource: "/things/{thing}/parts",
      httpMethod: "PUT",
      pathParameters: { thing: "special" },
    });
  });

  test("empty segments are ignored", async () => {
    await expect(event("//things//one/")).resolves.toMatchObject({
      resource: "/things/{thing}",
      pathParameters: { thing: "one" },
    });
  });

  test("a request without a method is refused with the API's gateway response", async () => {
    for (const [path, method] of [
      ["/nothing", "GET"],
      ["/things", "DELETE"],
      ["/things", "HEAD"],
    ] as const) {
      const response = await fetch(`${api.api}${path}`, { method });
      expect(response.status).toBe(404);
      if (method !== "HEAD") {
        await expect(response.json()).resolves.toEqual({ told: "No such path" });
      }
    }
  });

  test("a request to an unknown stage is refused", async () => {
    const response = await fetch(api.api.replace("/live", "/other"));
    expect(response.status).toBe(403);
    await expect(response.json()).resolves.toEqual({ message: "Forbidden" });
  });
});

describe("a function is told of a request", () => {
  test("a function gets path parameters as sent, so that an encoded slash is data", async () => {
    await expect(event("/things/a%2Fb%20c")).resolves.toMatchObject({
      path: "/things/a%2Fb%20c",
      pathParameters: { thing: "a%2Fb%20c" },
    });
  });

  test("a function gets every value of a query parameter, decoded", async () => {
    await expect(event("/things?id=a%26b&id=c+d&empty=")).resolves.toMatchObject({
      queryStringParameters: { id: "c d", empty: "" },
      multiValueQueryStringParameters: { id: ["a&b", "c d"], empty: [""] },
    });
  });

  test("a function gets the headers, except those of the connection", async () => {
    const told = await event("/things", { headers: { "X-Thing": "one" } });
    expect(told).toMatchObject({
      headers: { "X-Thing": "one", "User-Agent": "node" },
      multiValueHeaders: { "X-Thing": ["one"], "X-Forwarded-Proto": ["http"] },
      requestContext: {
        httpMethod: "GET",
        identity: { sourceIp: "127.0.0.1" },
        path: "/live/things",
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        resourcePath: "/things",
        stage: "live",
      },
    });
    expect(Object.keys(told.headers ?? {})).not.toContain("connection");
  });

  test("a function gets a header of any name", async () => {
    const told = await event("/things", { headers: { constructor: "one" } });
    expect(told.headers).toMatchObject({ constructor: "one" });
  });

  test("a function gets the body as text", async () => {
    const method = "POST";
    await expect(event("/things", { method, body: "høj" })).resolves.toMatchObject({
      body: "høj",
      isBase64Encoded: false,
    });
    await expect(event("/things", { method })).resolves.toMatchObject({ body: null });
  });

  test("a function gets the body decompressed", async () => {
    const headers = { "Content-Encoding": "gzip" };
    const told = await event("/things", { method: "POST", body: gzipSync("zipped"), headers });
    expect(told).toMatchObject({ body: "zipped" });
    const wrong = await fetch(`${api.api}/things`, { method: "POST", body: "not zipped", headers });
    expect(wrong.status).toBe(415);
  });

  test.each(["br", "constructor", "__proto__"])(
    "a body in %s, an unknown coding, is refused",
    async (coding) => {
      const headers = { "Content-Encoding": coding };
      const answer = await fetch(`${api.api}/things`, { method: "POST", body: "{}", headers });
      expect(answer.status).toBe(415);
    },
  );
});

describe("a client gets a function's answer", () => {
  test("a client gets a function's headers, except those that API Gateway renames", async () => {
    const { headers } = await fetch(`${api.api}/things`);
    expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(headers.get("X-Echo")).toBe("yes");
    expect(headers.get("Content-Type")).toBe("application/json");
    expect(headers.get("x-amzn-Remapped-Date")).toBe("never");
    expect(headers.get("x-amzn-RequestId")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("a response is compressed if it is large enough and the client accepts it", async () => {
    const get = async (acceptEncoding: string): Promise<{ coding: string | undefined; body: Buffer }> => {
      const request = httpGet(`${api.api}/things`, { headers: { "Accept-Encoding": acceptEncoding } });
      const [response] = (await once(request, "response")) as [IncomingMessage];
      return { coding: response.headers["content-encoding"], body: await buffer(response) };
    };
    const zipped = await get("br, gzip;q=0.5");
    expect(zipped.coding).toBe("gzip");
    expect(JSON.parse(gunzipSync(zipped.body).toString())).toMatchObject({ resource: "/things" });
    const plain = await get("gzip;q=0");
    expect(plain.coding).toBeUndefined();
    expect(JSON.parse(plain.body.toString())).toMatchObject({ resource: "/things" });
  });

  test.for(["throws", "dies", "hangs", "is malformed", "is large"])(
    "a client gets 502 with the API's gateway response if the function %s",
    async (how) => {
      const response = await fetch(`${api.api}/faulty?how=${how}`);
      expect(response.status).toBe(502);
      expect(response.headers.get("Content-Type")).toBe("application/problem+json");
      expect(response.headers.get("Retry-After")).toBe("5");
      await expect(response.json()).resolves.toEqual({ title: "Not now" });
      expect((await fetch(`${api.api}/faulty?how=well`)).status).toBe(204);
    },
  );

  test("a client gets a streamed response as the function wrote it, without a length", async () => {
    const response = await fetch(`${api.api}/streaming?how=well`);
    expect(response.status).toBe(203);
    expect(response.headers.get("X-How")).toBe("well");
    expect(response.headers.get("Content-Encoding")).toBe("gzip");
    expect(response.headers.has("Content-Length")).toBe(false);
    expect(await response.text()).toHaveLength(20_000_000);
  });

  test("a streamed response may be larger than a buffered one", async () => {
    const request = httpGet(`${api.api}/streaming?how=is large`.replaceAll(" ", "%20"));
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect(await buffer(response)).toHaveLength(7_000_000);
  });

  test.for([
    ["/streaming?how=throws", "throws before it writes"],
    ["/streaming?how=writes no metadata", "streams no metadata"],
    ["/streaming?how=only ends", "ends the stream without writing"],
    ["/streaming?how=has long metadata", "streams metadata of more than 16 KiB"],
    ["/streaming/echo", "returns its response instead of streaming it"],
    ["/streaming/buffered?how=well", "streams to an integration that does not"],
  ] as const)("a client gets 502 from %s, where the function %s", async ([path]) => {
    const response = await fetch(`${api.api}${path}`);
    expect(response.status).toBe(502);
    await expect(response.json()).resolves.toEqual({ title: "Not now" });
  });

  test("a client gets 500 if the function is throttled", async () => {
    const ways = await Promise.all(
      Array.from({ length: 3 }, () =>
        fetch(`${api.api}/faulty?how=is throttled`).then(({ status }) => status),
      ),
    );
    expect(ways.sort()).toEqual([500, 502, 502]);
  });

  test("a client gets 504 if the function exceeds the integration timeout", async () => {
    const response = await fetch(`${api.api}/slow`);
    expect(response.status).toBe(504);
    await expect(response.json()).resolves.toEqual({ title: "Not now" });
  });
});

test.for([
  ["more than 10 MB", 11_000_000],
  ["more than a function takes", 6_400_000],
] as const)("a body of %s is refused", async ([, bytes]) => {
  const response = await fetch(`${api.api}/things`, { method: "POST", body: "x".repeat(bytes) });
  expect(response.status).toBe(413);
  await expect(response.json()).resolves.toEqual({ message: "Request Too Long" });
});

test.for([
  ["nothing of it", {}, "Token, Agent"],
  ["a blank value", { Token: " ", Agent: "a" }, "Token"],
  ["an empty value", { Token: "t", Agent: "" }, "Agent"],
] as const)(
  "a request that lacks what the method requires is refused, with %s",
  async ([, headers, missing]) => {
    const response = await fetch(`${api.api}/exacting`, { headers });
    expect(response.status).toBe(400);
    await expect(response.json()).resolves.toEqual({
      message: `Missing required request parameters: [${missing}]`,
    });
  },
);

test("a request with what the method requires reaches it, whatever the case of its headers' names", async () => {
  expect((await fetch(`${api.api}/exacting`, { headers: { token: "t", AGENT: "a" } })).status).toBe(200);
});
