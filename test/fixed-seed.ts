import fc from "fast-check";
import { proofSeed } from "./proofs/proof-seed.ts";

// A property test draws the same values in every run, so that a run that was green stays green.
fc.configureGlobal({ seed: proofSeed ?? 20_261_122 });
