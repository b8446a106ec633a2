import { EventEmitter, once } from "node:events";

/** A gate at which callers wait while it is shut. */
export interface Gate {
  shut(): void;
  open(): void;
  /** Resolves when the gate is open. */
  passed(): Promise<void>;
}

/** A gate that is open. */
export function openGate(): Gate {
  const gate = new EventEmitter().setMaxListeners(0);
  let isShut = false;
  return {
    shut() {
      isShut = true;
    },
    open() {
      isShut = false;
      gate.emit("open");
    },
    async passed() {
      if (isShut) await once(gate, "open");
    },
  };
}
