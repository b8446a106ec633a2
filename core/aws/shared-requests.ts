import { AsyncLocalStorage } from "node:async_hooks";

/** A call that waits for its part of a shared request. */
interface Caller<Input, Output> {
  readonly input: Input;
  /** Does work as a part of the run that made the call. */
  readonly inRun: <Result>(work: () => Result) => Result;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

/** How the calls of one kind of request are put together, and their response taken apart. */
export interface Sharing<Input, Output> {
  /** Only inputs with the same key share a request. */
  readonly keyOf: (input: Input) => string;
  /** How many entries a request with all of these has left, within the service's limits; negative if it cannot carry them. */
  readonly room: (inputs: readonly Input[]) => number;
  readonly merge: (inputs: readonly Input[]) => Input;
  /** Takes the response to the merged input apart: one output for each input, in order. */
  readonly split: (output: Output, inputs: readonly Input[]) => readonly Output[];
}

/** Cuts a list into consecutive parts of these lengths. */
export function cut<T>(all: readonly T[], lengths: readonly number[]): T[][] {
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return all.slice(end - length, end);
  });
}

/** Longest wait for a request under way. The wait is usually a few milliseconds, but no call may hang because another one does. */
const longestWaitMilliseconds = 50;

/** The service found fault with the request itself, and did nothing of it: another caller's part may have been all right. */
const refusals: ReadonlySet<string> = new Set(["ValidationException", "BatchRequestTooLong"]);
const isRefused = (error: unknown) => error instanceof Error && refusals.has(error.name);

/**
 * Lets calls that are made at the same time share requests: a call is sent at once if no request is under way; the calls that
 * come meanwhile are sent together when that one has ended, or as soon as they fill a request.
 *
 * The run that made the first of the calls sends the request. That run has not ended, so nothing that is logged or counted on the
 * way is lost. Each caller gets its own output. If a shared request is refused as a whole, each caller's part is sent by itself, so
 * that only the caller whose part is at fault gets the error. Any other error of a request is that of all its callers.
 *
 * @param send sends one request
 */
export function sharedRequests<Input, Output>(
  { keyOf, room, merge, split }: Sharing<Input, Output>,
  send: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  type Group = Caller<Input, Output>[];
  /** By key: how many requests are under way, and the calls that wait. */
  const kinds = new Map<string, { underWay: number; waiting: Group; timer?: NodeJS.Timeout | undefined }>();

  const request = async (key: string, input: Input): Promise<Output> => {
    const kind = kinds.get(key) ?? { underWay: 0, waiting: [] };
    kinds.set(key, kind);
    kind.underWay += 1;
    try {
      return await send(input);
    } finally {
      kind.underWay -= 1;
      if (kind.waiting.length > 0) flush(key);
      else if (kind.underWay === 0) kinds.delete(key);
    }
  };

  const sendAlone = ({ input, inRun, resolve, reject }: Caller<Input, Output>): Promise<void> =>
    inRun(() => request(keyOf(input), input)).then(resolve, reject);

  const sendTogether = async (key: string, first: Caller<Input, Output>, group: Group): Promise<void> => {
    const inputs = group.map(({ input }) => input);
    try {
      const outputs = split(await first.inRun(() => request(key, merge(inputs))), inputs);
      for (const [index, { resolve }] of group.entries()) resolve(outputs[index] as Output);
    } catch (error) {
      if (isRefused(error)) await Promise.all(group.map(sendAlone));
      else for (const { reject } of group) reject(error);
    }
  };

  /** Sends the calls that wait. */
  const flush = (key: string): void => {
    const kind = kinds.get(key);
    if (kind === undefined) return;
    clearTimeout(kind.timer);
    kind.timer = undefined;
    const group = kind.waiting.splice(0);
    const [first] = group;
    if (first === undefined) return;
    if (group.length === 1) void sendAlone(first);
    else void sendTogether(key, first, group);
  };

  return (input) => {
    const { promise, resolve, reject } = Promise.withResolvers<Output>();
    const caller = { input, inRun: AsyncLocalStorage.snapshot(), resolve, reject };
    const key = keyOf(input);
    const kind = kinds.get(key);
    if (kind === undefined) {
      void sendAlone(caller);
      return promise;
    }
    const left = () => room(kind.waiting.map((one) => one.input));
    kind.waiting.push(caller);
    if (left() < 0 && kind.waiting.length > 1) {
      kind.waiting.pop();
      flush(key);
      kind.waiting.push(caller);
    }
    if (left() <= 0) flush(key);
    else kind.timer ??= setTimeout(() => flush(key), longestWaitMilliseconds);
    return promise;
  };
}

/** The part of an AWS client, and of its commands, that sharing needs. */
interface Command<Input> {
  readonly input: Input;
}
interface Client {
  send(command: never, options?: unknown): Promise<unknown>;
}

/**
 * Makes a client share its requests of one kind. Requests with options of their own, such as an abort signal, stay as they are.
 *
 * @param Kind class of the commands
 * @param canShare whether an input may share a request
 * @returns the client
 */
export function shareCommands<ServiceClient extends Client, Input, Output>(
  client: ServiceClient,
  Kind: new (input: Input) => Command<Input>,
  sharing: Sharing<Input, Output>,
  canShare: (input: Input) => boolean = () => true,
): ServiceClient {
  const send = client.send.bind(client) as (command: unknown, options?: unknown) => Promise<unknown>;
  const share = sharedRequests(sharing, (input: Input) => send(new Kind(input)) as Promise<Output>);
  const sendOrShare = (command: unknown, options?: unknown): Promise<unknown> =>
    command instanceof Kind && options === undefined && canShare(command.input)
      ? share(command.input)
      : send(command, options);
  client.send = sendOrShare as ServiceClient["send"];
  return client;
}
