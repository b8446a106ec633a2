import type { UnionCourseVersion } from "../register/records.ts";
import { createRegister, type Register } from "../register/register.ts";
import { type UnionData, withVersion } from "../register/union-data.ts";

/** The union's current data, with its lookups. */
export interface Union {
  readonly data: UnionData;
  readonly register: Register;
  /** Adds a version of a course that changed at this time, or replaces the one with its ID. */
  publish(version: UnionCourseVersion, changed: Date): void;
}

export function createUnion(initial: UnionData): Union {
  let data = initial;
  let register = createRegister(data);
  return {
    get data() {
      return data;
    },
    get register() {
      return register;
    },
    publish(version, changed) {
      data = withVersion(data, version, changed);
      register = createRegister(data);
    },
  };
}
