import { deferred } from "../base/deferred.ts";

/** A gate at which callers wait while it is shut. */
export interface Gate {
  shut(): void;
  open(): void;
  /** Resolves when the gate is open. */
  passed(): Promise<void>;
}

/** A gate that is open. */
export function openGate(): Gate {
  let opening = deferred<void>();
  opening.resolve();
  let isShut = false;
  return {
    shut() {
      if (!isShut) opening = deferred();
      isShut = true;
    },
    open() {
      isShut = false;
      opening.resolve();
    },
    passed: () => opening.promise,
  };
}
