/**
 * Seconds until a card is tried again: exponential with full jitter, so that what failed together does not come
 * back together.
 *
 * @param receives how often its message has been received, 1 for the first time
 * @param capSeconds the longest wait
 * @param random from 0 to below 1
 * @returns whole seconds, at least 1
 */
export function retryDelaySeconds(receives: number, capSeconds: number, random: number): number {
  const ceiling = Math.min(capSeconds, 2 ** Math.min(receives, 30));
  return Math.max(1, Math.ceil(random * ceiling));
}
