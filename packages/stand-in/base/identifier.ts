import { parse, v5 } from "uuid";

const namespace = parse("5f1d9c1e-3b86-4c0e-9a5c-7d0f6a1b2c34");

/** The identifier of an invented record: a UUID derived from its name, in upper case like the union's. */
export function identifier(...name: readonly (string | number)[]): string {
  return v5(name.join("/"), namespace).toUpperCase();
}
