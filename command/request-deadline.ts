/** When a request that begins now is given up: in half a minute, by the clock of `performance.now()`. */
export function requestDeadline(): number {
  return performance.now() + 30_000;
}
