export { adjustedGrossScore } from "./adjusted-gross.ts";
export { scoreDifferential } from "./score-differential.ts";
