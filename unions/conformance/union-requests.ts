/** The union, account and player that a conformance run asks with. */
export interface ConformanceOptions {
  /** Base address without a slash at its end. */
  readonly union: string;
  readonly username: string;
  readonly password: string;
  readonly apiSet: string;
  readonly recordsApiSet: string | undefined;
  readonly exchangePath: string;
  /** IANA name of the union's zone. */
  readonly timeZone: string;
  /** UnionID of a test player whose member data and record the account may read; those checks are left out without one. */
  readonly player: string | undefined;
  /** UnionID of another test player, to whom a card of the first is corrected. */
  readonly otherPlayer?: string | undefined;
  /** For how long, and how often, a record is read until a round is in it, in milliseconds. */
  readonly recordWait: { readonly milliseconds: number; readonly pause: number };
  /** Whether cards are posted. */
  readonly withCards: boolean;
  readonly now: Date;
}

/** A response, with its body parsed if it is JSON. */
export interface UnionReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what is asked
  readonly json: any;
}

/** Sends requests to the union with the account of the run. */
export interface UnionRequests {
  /** @param path below the base address */
  get(path: string, headers?: Readonly<Record<string, string | undefined>>): Promise<UnionReply>;
  post(
    path: string,
    body: string,
    headers?: Readonly<Record<string, string | undefined>>,
  ): Promise<UnionReply>;
}

const timeoutMilliseconds = 30_000;

/** Requests with the four headers that the union's document names; a header that is given as undefined is not sent. */
export function unionRequests({ union, username, password }: ConformanceOptions): UnionRequests {
  async function send(
    path: string,
    init: RequestInit,
    changed: Readonly<Record<string, string | undefined>>,
  ) {
    const all = {
      Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
      "Content-Type": "application/json",
      Accept: "application/json",
      Token: "",
      ...changed,
    };
    const headers = Object.entries(all).filter((one): one is [string, string] => one[1] !== undefined);
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const response = await fetch(`${union}/${path}`, { ...init, headers, signal });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  }
  return {
    get: (path, headers = {}) => send(path, {}, headers),
    post: (path, body, headers = {}) => send(path, { method: "POST", body }, headers),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
