import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { checkEndpointUrl, createPoster, type EventPostResult } from "../../../core/webhooks/post-event.ts";
import { selfSignedCertificate, type TestCertificate } from "./certificate.ts";

const headers = { "content-type": "application/json", "webhook-id": "msg_1" };
const body = '{"type":"webhook.test","data":"Sæby"}';
const timeoutMilliseconds = 60_000;

async function port(server: Server & { closeAllConnections(): void }): Promise<number> {
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener) => port(createServer(listener));
const serveTls = (certificate: TestCertificate, listener: RequestListener) =>
  port(createTlsServer(certificate, listener));

/** Posts with a name server that has these addresses for every name. */
const posterTo = (addresses: readonly string[], allowLoopback = false) =>
  createPoster({ resolve: async () => addresses, allowLoopback, timeoutMilliseconds });
const postHere = createPoster({ allowLoopback: true, timeoutMilliseconds });

const messages = {
  refused_address: /^(?!.* in DNS)(The URL|Port|This is not)/,
  dns: /no address in DNS\.$/,
  timeout: /^The endpoint took longer/,
  connection: /^The endpoint (could not be reached|closed the connection)/,
  tls: /^No encrypted connection/,
};
const failedBy = (reason: keyof typeof messages) => ({ message: expect.stringMatching(messages[reason]) });

/** What a vendor may be told has no address, and nothing of the URL. */
function expectDiscreet(result: EventPostResult) {
  expect(JSON.stringify(result)).not.toMatch(/\d\.\d|:\d|::|localhost|example|secret/);
}

// Which addresses are public is tested with `isPublicAddress`; here it is in how many ways a URL or a name leads to one.
describe("a URL that leads inside is refused, and no name server is asked", () => {
  test.each([
    "https://127.0.0.1/",
    "https://127.0.0.1:9001/2018-06-01/runtime/invocation/next",
    "http://127.0.0.1:9001/2018-06-01/runtime/invocation/next",
    "https://127.1/",
    "https://127.0.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0x0.0x0.0x1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://127.0.0.1./",
    "https://%31%32%37.0.0.1/",
    "https://１２７.０.０.１/",
    "https://127。0。0。1/",
    "https://①②⑦.0.0.1/",
    "https://0/",
    "https://012.0.0.1/",
    "https://3232235521/",
    "https://169.254.169.254/latest/meta-data/",
    "https://2852039166/latest/meta-data/",
    "https://0xa9fea9fe/",
    "https://169.254.170.2/v2/credentials",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[fd00:ec2::254]/",
    "https://[fe80::1%25eth0]/",
    "https://localhost/",
    "https://localhost./",
    "https://localhost../",
    "https://LOCALHOST/",
    "https://ｌｏｃａｌｈｏｓｔ/",
    "https://a.localhost/",
    "https://printer.local/",
    "https://ip-10-0-0-1.eu-north-1.compute.internal/",
    "https://metadata.google.internal./",
    "https://router.lan/",
    "https://nas.home.arpa/",
    "https://intranet/",
    "https://good@127.0.0.1/",
    "https://good.example@127.0.0.1/",
    "https://127.0.0.1@good.example/",
    "https://user:secret@good.example/",
    "https://:secret@good.example/",
    "https:\\\\127.0.0.1\\",
    "https:127.0.0.1",
    "https://127.0.0.1\\@good.example/",
    "https://good.example:80/",
    "https://good.example:25/",
    "https://good.example:0/",
    "https://good.example:1023/",
    "https://good.example:65536/",
    "https://good.example/#part",
    "http://good.example/",
    "ftp://good.example/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "//good.example/",
    "good.example",
    "https://",
    "",
  ])("%j", async (url) => {
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return ["1.1.1.1"];
    };
    const result = await createPoster({ resolve, allowLoopback: false, timeoutMilliseconds })(
      url,
      headers,
      body,
    );
    const fault = checkEndpointUrl(url, { allowLoopback: false });
    expect(fault).toEqual(expect.any(String));
    expect(result).toEqual({ message: fault });
    expectDiscreet({
      ...result,
      message: fault?.replace("https://example.com/webhooks", ""),
    } as EventPostResult);
    expect(asked).toEqual([]);
  });
});

test.each([
  "https://good.example",
  "https://good.example/hooks?token=1",
  "https://good.example.:443/",
  "https://good.example:1024/",
  "https://good.example:65535/",
  "https://1.1.1.1/",
  "https://[2606:4700:4700::1111]/",
  "https://local.good.example/",
  "https://mylocalhost.example/",
  "https://golfklubben-sæby.example/",
])("a URL on the Internet is accepted: %s", (url) => {
  expect(checkEndpointUrl(url, { allowLoopback: false })).toBeUndefined();
  expect(checkEndpointUrl(url, { allowLoopback: true })).toBeUndefined();
});

test.each(["http://localhost:3000/", "http://127.0.0.1:3000/", "http://[::1]:3000/", "https://localhost/"])(
  "if loopback is allowed, so is %s",
  (url) => {
    expect(checkEndpointUrl(url, { allowLoopback: true })).toBeUndefined();
    expect(checkEndpointUrl(url, { allowLoopback: false })).toEqual(expect.any(String));
  },
);

test.each([
  "http://good.example/",
  "http://10.0.0.1:3000/",
  "https://10.0.0.1/",
  "https://169.254.169.254/",
  "https://[::ffff:127.0.0.1]/",
  "https://printer.local/",
  "http://localhost/",
])("if loopback is allowed, %s is refused all the same", (url) => {
  expect(checkEndpointUrl(url, { allowLoopback: true })).toEqual(expect.any(String));
});

describe("a name whose addresses are not all public is refused", () => {
  test.each([
    [["127.0.0.1"]],
    [["::1"]],
    [["::ffff:a9fe:a9fe"]],
    [["fe80::1%eth0"]],
    [["localhost"]],
    [[""]],
    [["1.1.1.1", "10.0.0.1"]],
    [["10.0.0.1", "1.1.1.1"]],
    [["1.1.1.1", "2606:4700:4700::1111", "::1"]],
  ])("%j", async (addresses) => {
    const result = await posterTo(addresses)("https://good.example/", headers, body);
    expect(result).toEqual(failedBy("refused_address"));
    expectDiscreet(result);
  });

  test.each([[["10.0.0.1"]], [["127.0.0.1", "169.254.169.254"]], [["::ffff:127.0.0.1"]]])(
    "%j, also if loopback is allowed",
    async (addresses) => {
      const result = await posterTo(addresses, true)("https://good.example/", headers, body);
      expect(result).toEqual(failedBy("refused_address"));
    },
  );

  test("an address on the Internet, if the URL is http", async () => {
    const result = await posterTo(["1.1.1.1"], true)("http://localhost:3000/", headers, body);
    expect(result).toEqual(failedBy("refused_address"));
  });
});

test("a server on this machine, such as Lambda's runtime API, gets no connection whatever the URL", async () => {
  let connections = 0;
  const server = createServer((_, response) => response.end());
  server.on("connection", () => {
    connections += 1;
  });
  const number = await port(server);
  for (const host of [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "[::ffff:127.0.0.1]",
    "localhost",
    "good.example",
  ]) {
    for (const scheme of ["http", "https"]) {
      const result = await posterTo(["127.0.0.1"])(`${scheme}://${host}:${number}/`, headers, body);
      expect(result).toEqual(failedBy("refused_address"));
    }
  }
  expect(connections).toBe(0);
});

test("a name is resolved once for each post, so a name server cannot give another address after the check", async () => {
  let received = 0;
  const number = await serve((_, response) => {
    received += 1;
    response.end();
  });
  const answers = [["127.0.0.1"], ["169.254.169.254"]];
  const resolve = async () => answers.shift() ?? [];
  const post = createPoster({ resolve, allowLoopback: true, timeoutMilliseconds });
  const url = `http://receiver.localhost:${number}/`;
  expect(await post(url, headers, body)).toEqual({ status: 200 });
  expect(answers).toHaveLength(1);
  expect(await post(url, headers, body)).toEqual(failedBy("refused_address"));
  expect(await post(url, headers, body)).toEqual(failedBy("dns"));
  expect(received).toBe(1);
});

test("a name that cannot be resolved is a failure of DNS", async () => {
  const resolve = () => Promise.reject(new Error("queryA ENOTFOUND good.example"));
  const post = createPoster({ resolve, allowLoopback: false, timeoutMilliseconds });
  const result = await post("https://good.example/", headers, body);
  expect(result).toEqual(failedBy("dns"));
  expectDiscreet(result);
});

test("an endpoint receives the body, the headers, the path and the host as they were given", async () => {
  const received = Promise.withResolvers<unknown>();
  const number = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.resolve({
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    });
    response.writeHead(204).end();
  });
  expect(await postHere(`http://localhost.:${number}/hooks?a=1`, headers, body)).toEqual({ status: 204 });
  expect(await received.promise).toEqual({
    method: "POST",
    url: "/hooks?a=1",
    headers: {
      ...headers,
      host: `localhost:${number}`,
      connection: "close",
      "content-length": String(Buffer.byteLength(body)),
    },
    body,
  });
});

test.each([200, 204, 400, 410, 429, 500, 503])("an answer %i is told with its status", async (status) => {
  const number = await serve((_, response) => response.writeHead(status).end());
  expect(await postHere(`http://127.0.0.1:${number}/`, headers, body)).toEqual({ status });
});

test.each([301, 302, 303, 307, 308])(
  "a redirect with %i is an answer, and nobody follows it",
  async (status) => {
    let followed = 0;
    const inside = await serve((_, response) => {
      followed += 1;
      response.end();
    });
    const number = await serve((_, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${inside}/` }).end(),
    );
    expect(await postHere(`http://127.0.0.1:${number}/`, headers, body)).toEqual({ status });
    expect(followed).toBe(0);
  },
);

test.each([
  ["120", 120],
  ["0", 0],
  ["99999999999", 3_600],
  ["Mon, 23 Nov 2026 04:02:00 GMT", 120],
  ["Mon, 23 Nov 2026 03:00:00 GMT", undefined],
  ["soon", undefined],
  ["-1", undefined],
])("Retry-After %j is %j seconds", async (header, seconds) => {
  const number = await serve((_, response) => {
    response.writeHead(503, { "retry-after": header, date: "Mon, 23 Nov 2026 04:00:00 GMT" }).end();
  });
  const result = await postHere(`http://127.0.0.1:${number}/`, headers, body);
  expect(result).toEqual({ status: 503, ...(seconds !== undefined && { retryAfterSeconds: seconds }) });
});

describe("a slow endpoint gets as long as it is given, and its connection is closed", () => {
  test.each<[string, RequestListener]>([
    ["nothing comes", () => {}],
    ["the headers come, but the body does not", (_, response) => response.writeHead(200).write("a")],
    [
      "the body drips",
      (_, response) => {
        const timer = setInterval(() => response.write("a"), 5);
        response.writeHead(200).once("close", () => clearInterval(timer));
      },
    ],
    [
      "interim answers come without end",
      (_, response) => {
        const timer = setInterval(() => response.writeProcessing(), 5);
        response.once("close", () => clearInterval(timer));
      },
    ],
  ])("%s", async (_, listener) => {
    const closed = Promise.withResolvers<void>();
    const server = createServer(listener);
    server.on("connection", (socket) => socket.once("close", () => closed.resolve()));
    const url = `http://127.0.0.1:${await port(server)}/`;
    const result = await createPoster({ allowLoopback: true, timeoutMilliseconds: 200 })(url, headers, body);
    expect(result).toEqual({ message: "The endpoint took longer than 0.2 seconds." });
    await closed.promise;
  });

  test("the name server does not answer", async () => {
    const resolve = () => new Promise<never>(() => {});
    const post = createPoster({ resolve, allowLoopback: false, timeoutMilliseconds: 20 });
    expect(await post("https://good.example/", headers, body)).toEqual(failedBy("timeout"));
  });
});

test("an answer that does not end is not read to its end", async () => {
  const closed = Promise.withResolvers<void>();
  const number = await serve((_, response) => {
    const go = () => {
      while (response.write("a".repeat(65_536)));
    };
    response.on("drain", go).on("close", closed.resolve);
    go();
  });
  expect(await postHere(`http://127.0.0.1:${number}/`, headers, body)).toEqual({ status: 200 });
  await closed.promise;
});

test("an endpoint that breaks off in its answer's body has answered", async () => {
  const number = await serve((_, response) => {
    response.writeHead(202, { "content-length": 100 });
    response.write("a", () => response.socket?.end());
  });
  expect(await postHere(`http://127.0.0.1:${number}/`, headers, body)).toEqual({ status: 202 });
});

describe("a connection that brings no answer is a failure", () => {
  test.each<[string, RequestListener]>([
    ["closed", ({ socket }) => socket.destroy()],
    ["not HTTP", ({ socket }) => socket.end("hello\r\n\r\n")],
    ["endless headers", ({ socket }) => socket.write(`HTTP/1.1 200 OK\r\na: ${"a".repeat(100_000)}`)],
    [
      "another protocol",
      ({ socket }) =>
        socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"),
    ],
  ])("%s", async (_, listener) => {
    const result = await postHere(`http://127.0.0.1:${await serve(listener)}/`, headers, body);
    expect(result).toEqual(failedBy("connection"));
    expectDiscreet(result);
  });

  test("nobody listens", async () => {
    const server = createServer();
    const number = await port(server);
    await new Promise((resolve) => server.close(resolve));
    const result = await postHere(`http://127.0.0.1:${number}/`, headers, body);
    expect(result).toEqual({ message: "The endpoint could not be reached (ECONNREFUSED)." });
  });
});

describe("over TLS", () => {
  const trusted = selfSignedCertificate(["receiver.example", "127.0.0.1"]);
  const expired = selfSignedCertificate(["receiver.example"], "20200101");
  const untrusted = selfSignedCertificate(["receiver.example"]);
  const usual = getCACertificates("default");
  beforeAll(() => setDefaultCACertificates([...usual, trusted.cert, expired.cert]));
  afterAll(() => setDefaultCACertificates(usual));
  const post = posterTo(["127.0.0.1"], true);

  test("an endpoint gets the event if its certificate is trusted and for its name, which is sent as SNI", async () => {
    const names: unknown[] = [];
    const number = await serveTls(trusted, ({ socket }, response) => {
      names.push((socket as TLSSocket & { servername?: string }).servername);
      response.end();
    });
    for (const host of ["receiver.example", "receiver.example.", "127.0.0.1"]) {
      expect(await post(`https://${host}:${number}/`, headers, body)).toEqual({ status: 200 });
    }
    expect(names).toEqual(["receiver.example", "receiver.example", false]);
  });

  test.each([
    ["that is self-signed", untrusted, "receiver.example"],
    ["that has expired", expired, "receiver.example"],
    ["for another name", trusted, "other.example"],
  ])("an endpoint with a certificate %s gets nothing", async (_, certificate, host) => {
    let received = 0;
    const number = await serveTls(certificate, () => {
      received += 1;
    });
    const result = await post(`https://${host}:${number}/`, headers, body);
    expect(result).toEqual(failedBy("tls"));
    expectDiscreet(result);
    expect(received).toBe(0);
  });

  test("the certificate must be for the URL's name, whatever a Host header says", async () => {
    const number = await serveTls(trusted, (_, response) => response.end());
    const result = await post(`https://other.example:${number}/`, { host: "receiver.example" }, body);
    expect(result).toEqual(failedBy("tls"));
  });

  test("certificates are verified even if an environment variable turns that off for all others", async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    onTestFinished(() => {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    });
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    const number = await serveTls(untrusted, (_, response) => response.end());
    const result = await post(`https://receiver.example:${number}/`, headers, body);
    expect(result).toEqual(failedBy("tls"));
  });

  test("an endpoint that only speaks http gets nothing", async () => {
    let received = 0;
    const number = await serve(() => {
      received += 1;
    });
    const result = await post(`https://receiver.example:${number}/`, headers, body);
    expect(result).toEqual(failedBy("tls"));
    expectDiscreet(result);
    expect(received).toBe(0);
  });
});

test("an event whose header may not be sent is the caller's mistake", async () => {
  const post = postHere("http://127.0.0.1:3000/", { "webhook-id": "a\r\nb" }, body);
  await expect(post).rejects.toThrow(TypeError);
});
