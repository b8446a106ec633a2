const { PROOF_SEED, PROOF_SIZE = "1" } = process.env;

/** The seed that `npm run proofs` gives what is random; undefined in `npm test`, which draws the same in every run. */
export const proofSeed = PROOF_SEED === undefined ? undefined : Number(PROOF_SEED);

/** How many times as much as in `npm test` is tried. */
export const proofSize = Number(PROOF_SIZE);
