import pMap from "p-map";

/** A client of AWS, of whatever service. */
interface Client {
  send(command: never): Promise<unknown>;
}

/** A request that was made once and can be made again as it was. */
export type BareRequest = () => Promise<unknown>;

/** A client that makes its requests, and keeps each so that it can be made again. */
export function recorded<Service extends Client>(
  client: Service,
): { client: Service; requests: BareRequest[] } {
  const requests: BareRequest[] = [];
  const send = (command: never) => {
    requests.push(() => client.send(command));
    return client.send(command);
  };
  return {
    client: new Proxy(client, { get: (of, name) => (name === "send" ? send : Reflect.get(of, name)) }),
    requests,
  };
}

/** Makes requests again, stage after stage; within a stage so many are under way at once. */
export async function replay(
  stages: readonly (readonly BareRequest[])[],
  concurrency: number,
): Promise<void> {
  for (const requests of stages) await pMap(requests, (request) => request(), { concurrency });
}
