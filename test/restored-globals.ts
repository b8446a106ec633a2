import { afterAll, vi } from "vitest";

// The worker runs other files after this one: they must find the original globals, clock and functions.
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
