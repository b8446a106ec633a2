/** The stages, as the union has them: the path of an API ends in its stage's name. */
export const stages = ["test", "production"] as const;

/** One of the two environments. */
export type Stage = (typeof stages)[number];

/** What the stack of a stage is called. A stack of another name would be a new one, with empty tables. */
export const stackName = (stage: Stage) => `scorecard-pipeline-${stage}`;

/** What the stage's own key goes by. The secrets of vendors, which no template makes, are encrypted with it too. */
export const dataKeyAlias = (stage: Stage) => `alias/scorecards-${stage}`;
