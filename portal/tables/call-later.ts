/** Calls a function some time after it was asked for, once for all requests until then. */
export function callLater(milliseconds: number, act: () => void): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    setTimeout(() => {
      isAsked = false;
      act();
    }, milliseconds);
  };
}
