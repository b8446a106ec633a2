import { parse, v5 } from "uuid";

const namespace = parse("5f1d9c1e-3b86-4c0e-9a5c-7d0f6a1b2c34");

/** The database identifier of a thing that is made up: the same for the same name, in upper case as the union's are. */
export function identifier(...name: readonly (string | number)[]): string {
  return v5(name.join("/"), namespace).toUpperCase();
}
