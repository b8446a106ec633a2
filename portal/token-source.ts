import type { SignedIn } from "./base/account.ts";

/** Seconds before its end in which a token is not used any more, since a request may take as long. */
const reserveSeconds = 60;

/**
 * Has a token for each request, and gets another one before it ends, once for all requests that wait for it.
 *
 * @param renew answers undefined if the session has ended
 * @param onEnded called when it has
 * @param now milliseconds since 1970
 * @returns a function whose promise is a valid token, and rejected if none can be had
 */
export function createTokenSource(
  first: Pick<SignedIn, "token" | "expiresIn">,
  renew: () => Promise<Pick<SignedIn, "token" | "expiresIn"> | undefined>,
  onEnded: () => void,
  now: () => number = Date.now,
): () => Promise<string> {
  const until = ({ expiresIn }: Pick<SignedIn, "expiresIn">) => now() + (expiresIn - reserveSeconds) * 1_000;
  let { token } = first;
  let usedUntil = until(first);
  let renewal: Promise<void> | undefined;
  const renewOnce = async () => {
    const next = await renew();
    if (next === undefined) {
      onEnded();
      throw new Error("The session has ended.");
    }
    token = next.token;
    // A session that is about to end gives a token for less than the reserve. It is used to its end.
    usedUntil = Math.max(until(next), now() + 1_000);
  };
  return async () => {
    if (now() >= usedUntil) {
      renewal ??= renewOnce().finally(() => {
        renewal = undefined;
      });
      await renewal;
    }
    return token;
  };
}
