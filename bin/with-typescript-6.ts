import { registerHooks } from "node:module";

// openapi-typescript needs the compiler's API, which TypeScript 7 does not have.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === "typescript" ? "@typescript/typescript6" : specifier, context),
});
