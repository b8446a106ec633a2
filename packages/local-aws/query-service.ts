import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { ServiceError } from "./base/json-endpoint.ts";
import { type LoopbackServer, startLoopbackServer } from "./base/loopback-server.ts";

/** Answers a request with the XML of its result. @throws ServiceError */
type QueryOperation = (fields: URLSearchParams) => string;

/** Text that may stand in XML. */
const escaped = (value: string) => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/**
 * Starts a service on 127.0.0.1 that speaks AWS's query protocol: forms in requests, XML in responses.
 *
 * @param namespace of the XML
 * @param operations by the names of their actions; any other is answered as an InvalidAction
 */
export async function startQueryService(
  namespace: string,
  operations: Readonly<Record<string, QueryOperation>>,
): Promise<LoopbackServer> {
  const requestId = () => `<RequestId>${randomUUID()}</RequestId>`;
  function answer(fields: URLSearchParams): { readonly status: number; readonly xml: string } {
    const action = fields.get("Action") ?? "";
    try {
      const operation = operations[action];
      if (operation === undefined) {
        throw new ServiceError("InvalidAction", `The local run has no ${action} of this service.`);
      }
      const result = `<${action}Result>${operation(fields)}</${action}Result>`;
      const xml = `<${action}Response xmlns="${namespace}">${result}<ResponseMetadata>${requestId()}</ResponseMetadata></${action}Response>`;
      return { status: 200, xml };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { code, status, message } = error;
      const details = `<Type>Sender</Type><Code>${code}</Code><Message>${escaped(message)}</Message>`;
      return {
        status,
        xml: `<ErrorResponse xmlns="${namespace}"><Error>${details}</Error>${requestId()}</ErrorResponse>`,
      };
    }
  }
  return await startLoopbackServer((request, response) => {
    text(request)
      .then((body) => {
        const { status, xml } = answer(new URLSearchParams(body));
        response.writeHead(status, { "Content-Type": "text/xml" }).end(xml);
      })
      .catch(() => response.destroy());
  });
}
