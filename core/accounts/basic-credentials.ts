/** The user name and password of HTTP Basic. */
export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

/** Reads an Authorization header; undefined if it is not HTTP Basic. @see RFC 7617 */
export function readBasicCredentials(header: string | undefined): BasicCredentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 1 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Writes an Authorization header. */
export function basicAuthorization({ username, password }: BasicCredentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
