export * from "./appendix-c.ts";
export * from "./appendix-e.ts";
export * from "./rule-3.ts";
export * from "./rule-5.ts";
export * from "./rule-6.ts";
export * from "./rules-of-golf-21.ts";
export { formatStrokes, oneStroke, roundHalfUp, roundToTenth, type Worked } from "./worked.ts";
