import { vi } from "vitest";

/** The clock of the simulation under way. */
export const sleeping = { sleep: (_: number): Promise<void> => Promise.resolve() };

// This is a setup file, so that it comes before the code that waits by Node's own timers, whatever a test imports first.
vi.mock("node:timers/promises", async () => {
  const { sleeping } = await import("./virtual-sleep.ts");
  return {
    setTimeout: (milliseconds: number) => sleeping.sleep(milliseconds),
    setImmediate: () => sleeping.sleep(0),
  };
});
