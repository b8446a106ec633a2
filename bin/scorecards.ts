import { enableCompileCache } from "node:module";

// A command takes half as long if its modules are not compiled anew. Imports above this line would be.
enableCompileCache();
const { scorecardsProgram } = await import("../command/program.ts");

await scorecardsProgram().parseAsync();
