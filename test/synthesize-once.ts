import type { TestProject } from "vitest/node";
import { hurried } from "./hurried-settings.ts";
import { assemblyOf } from "./synthesized-stack.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of a cloud assembly of the test stage whose waits are seconds instead of minutes. */
    readonly assembly: string;
  }
}

/** Synthesizes what almost all end-to-end tests need, before the first of them. */
export default async function synthesizeOnce(project: TestProject): Promise<void> {
  project.provide("assembly", await assemblyOf(hurried));
}
