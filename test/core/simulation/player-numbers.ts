/** UnionIDs of players of two clubs, the last of whom the union does not know. */
export const playerNumbers = ["1016-1", "1016-2", "2020-1", "2020-2"] as const;
