/**
 * Seconds until a card is tried again: exponential with full jitter while it grows, so that what failed together does
 * not come back together; between half the cap and the cap from then on, so that two days are fewer attempts than
 * the queue hands a message over.
 *
 * @param receives how often its message has been received, 1 for the first time
 * @param capSeconds the longest wait
 * @param random from 0 to below 1
 * @returns whole seconds, at least 1
 */
export function retryDelaySeconds(receives: number, capSeconds: number, random: number): number {
  const ceiling = Math.min(capSeconds, 2 ** Math.min(receives, 30));
  const floor = ceiling === capSeconds ? capSeconds / 2 : 0;
  return Math.max(1, Math.ceil(floor + random * (ceiling - floor)));
}

/** The same for messages, drawn once for each, so that the cards that came in it are tried again together. */
export function messageBackoff(
  capSeconds: number,
  random: () => number,
): (message: { readonly messageId: string; readonly receives: number }) => number {
  const drawn = new Map<string, number>();
  return ({ messageId, receives }) => {
    const seconds = drawn.get(messageId) ?? retryDelaySeconds(receives, capSeconds, random());
    drawn.set(messageId, seconds);
    return seconds;
  };
}
