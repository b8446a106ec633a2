import { enableCompileCache } from "node:module";

// A command takes half as long if its modules come from the compile cache. Modules imported above this line would not. This
// file is JavaScript, because Node takes longer to load its TypeScript parser than to read all the others from the cache.
enableCompileCache();
const { endOnClosedOutput } = await import("../command/end-on-closed-output.ts");
const { scorecardsProgram } = await import("../command/program.ts");

endOnClosedOutput(process);
await scorecardsProgram().parseAsync();
