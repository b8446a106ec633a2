import { denmark } from "./denmark.ts";
import { norway } from "./norway.ts";
import type { UnionProfile } from "./union-profile.ts";

/** The unions that are described here, by the name that commands and the app's context call them. */
export const unions = { denmark, norway } satisfies Record<string, UnionProfile>;

/** Name of a union that is described here. */
export type UnionName = keyof typeof unions;

/** Their names. */
export const unionNames = Object.keys(unions) as UnionName[];

/** Whether a value names a union that is described here. */
export const isUnionName = (name: unknown): name is UnionName =>
  typeof name === "string" && Object.hasOwn(unions, name);
