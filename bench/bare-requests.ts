import pMap from "p-map";

/** A client of AWS, of whatever service. */
interface Client {
  send(command: never): Promise<unknown>;
}

/** A request that can be made as it would have been. */
type BareRequest = () => Promise<unknown>;

/** A client that makes no request, but keeps each so that it can be made later. All are answered with success, and nothing in it. */
export function recorded<Service extends Client>(
  client: Service,
): { client: Service; requests: BareRequest[] } {
  const requests: BareRequest[] = [];
  const send = (command: never) => {
    requests.push(() => client.send(command));
    return Promise.resolve({});
  };
  return {
    client: new Proxy(client, { get: (of, name) => (name === "send" ? send : Reflect.get(of, name)) }),
    requests,
  };
}

/** Makes requests, stage after stage; within a stage so many are under way at once. */
export async function replay(
  stages: readonly (readonly BareRequest[])[],
  concurrency: number,
): Promise<void> {
  for (const requests of stages) await pMap(requests, (request) => request(), { concurrency });
}
