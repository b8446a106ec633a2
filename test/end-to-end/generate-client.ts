import { registerHooks } from "node:module";

// openapi-typescript needs the compiler's API, which TypeScript 7 does not have.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === "typescript" ? "@typescript/typescript6" : specifier, context),
});

const { default: openapiTypeScript, astToString } = await import("openapi-typescript");

/** Prints the types that openapi-typescript makes of the OpenAPI document at an address. */
process.stdout.write(astToString(await openapiTypeScript(new URL(process.argv[2] ?? ""))));
