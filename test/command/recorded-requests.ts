import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { LocalRun } from "@scorecard-pipeline/local-aws";

/** What IAM is asked of a request: the action, and the resource with REGION and ACCOUNT in its ARN. */
export interface IamRequest {
  readonly action: string;
  readonly resource: string;
}

type Service = "dynamodb" | "sqs" | "secretsManager" | "lambda" | "apiGateway" | "cloudWatch";

const toArn = (service: string, rest: string) => `arn:aws:${service}:REGION:ACCOUNT:${rest}`;

/** What IAM checks of the entries of a batch, whose requests have names of their own. */
const batched: Readonly<Record<string, string>> = {
  ChangeMessageVisibilityBatch: "ChangeMessageVisibility",
  DeleteMessageBatch: "DeleteMessage",
  SendMessageBatch: "SendMessage",
};
const partiQl: Readonly<Record<string, string>> = {
  INSERT: "Insert",
  UPDATE: "Update",
  DELETE: "Delete",
  SELECT: "Select",
};

interface Sent {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly RequestItems?: object;
  readonly Statements?: readonly { readonly Statement: string }[];
  readonly QueueUrl?: string;
  readonly SecretId?: string;
  readonly Name?: string;
}

function toDynamoDbRequests(operation: string, sent: Sent): IamRequest[] {
  const { TableName, IndexName, RequestItems = {}, Statements = [] } = sent;
  const toTable = (name: string) => toArn("dynamodb", `table/${name}`);
  const statements = Statements.map(({ Statement }) => {
    const [, verb = "", table = ""] = /^\s*(\w+)[^"]*"([^"]+)"/.exec(Statement) ?? [];
    return { action: `dynamodb:PartiQL${partiQl[verb.toUpperCase()]}`, resource: toTable(table) };
  });
  const tables = [...(TableName === undefined ? [] : [TableName]), ...Object.keys(RequestItems)];
  const index = IndexName === undefined ? "" : `/index/${IndexName}`;
  return [
    ...statements,
    ...tables.map((name) => ({ action: `dynamodb:${operation}`, resource: toTable(name) + index })),
  ];
}

/** @throws Error if it is not known what IAM is asked */
function toIamRequests(
  service: Service,
  { method, url = "", headers }: IncomingMessage,
  body: string,
): IamRequest[] {
  const [path = ""] = url.split("?");
  if (service === "apiGateway")
    return [{ action: `apigateway:${method}`, resource: `arn:aws:apigateway:REGION::${path}` }];
  if (service === "lambda") {
    const [, id] = /^\/2015-03-31\/event-source-mappings\/([^/]+)$/.exec(path) ?? [];
    if (id === undefined) throw new Error(`Nobody knows which permission ${method} ${path} needs.`);
    const operation = method === "PUT" ? "UpdateEventSourceMapping" : "GetEventSourceMapping";
    return [{ action: `lambda:${operation}`, resource: toArn("lambda", `event-source-mapping:${id}`) }];
  }
  const operation = String(headers["x-amz-target"]).split(".").at(-1) ?? "";
  const sent: Sent = JSON.parse(body);
  if (service === "cloudWatch") return [{ action: `cloudwatch:${operation}`, resource: "*" }];
  if (service === "dynamodb") return toDynamoDbRequests(operation, sent);
  if (service === "sqs") {
    const queue = String(sent.QueueUrl?.split("/").at(-1));
    return [{ action: `sqs:${batched[operation] ?? operation}`, resource: toArn("sqs", queue) }];
  }
  // CloudFormation names a secret without the stack, unlike the local run.
  const secret = (sent.SecretId ?? sent.Name ?? "").replace(
    /^(arn:.*:secret:)?(scorecard-pipeline-test-)?/,
    "",
  );
  return [
    { action: `secretsmanager:${operation}`, resource: toArn("secretsmanager", `secret:${secret}-AbCdEf`) },
  ];
}

/** Records what is asked of a local run's services by those that get `run` in place of it. */
export async function recordRequests(given: LocalRun) {
  const recorded = new Map<string, IamRequest>();
  const unknown: unknown[] = [];
  const servers: Server[] = [];
  const addresses: Partial<Record<Service, string>> = {};
  for (const service of [
    "dynamodb",
    "sqs",
    "secretsManager",
    "lambda",
    "apiGateway",
    "cloudWatch",
  ] as const) {
    const server = createServer(
      (incoming, outgoing) => void pass(incoming, outgoing).catch(() => outgoing.destroy()),
    );
    const pass = async (incoming: IncomingMessage, outgoing: import("node:http").ServerResponse) => {
      const body = await buffer(incoming);
      try {
        for (const one of toIamRequests(service, incoming, String(body)))
          recorded.set(JSON.stringify(one), one);
      } catch (error) {
        unknown.push(error);
      }
      const { method, headers } = incoming;
      const forwarded = request(
        new URL(String(incoming.url), given[service]),
        { method, headers },
        (response) => {
          outgoing.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(outgoing);
        },
      );
      forwarded.on("error", () => outgoing.destroy());
      forwarded.end(body);
    };
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    addresses[service] = Object.assign(new URL(given[service]), { port: String(port) }).href.replace(
      /\/$/,
      "",
    );
  }
  return {
    run: Object.assign(Object.create(given) as LocalRun, addresses),
    /** Each request once; it throws what is wrong with those whose permission is not known. */
    requests(): readonly IamRequest[] {
      if (unknown.length > 0) throw unknown[0];
      return [...recorded.values()];
    },
    stop() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}
