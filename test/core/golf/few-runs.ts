import fc from "fast-check";

// Each mutant is held against every test that reaches it: a few runs of a property find what a change breaks.
fc.configureGlobal({ numRuns: 10 });
