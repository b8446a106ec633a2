import { scorecardsProgram } from "../command/program.ts";

await scorecardsProgram().parseAsync();
