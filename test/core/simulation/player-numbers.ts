/** UnionIDs of players, the last of whom the union does not know. */
export const playerNumbers = ["1016-1", "1016-2", "1016-3", "1016-4"] as const;
