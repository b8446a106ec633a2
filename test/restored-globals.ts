import { afterAll, vi } from "vitest";

// The next file of this worker must not find what this one has replaced.
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
