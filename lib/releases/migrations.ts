/** How the data of a resource gets into the one that replaces it. */
export interface Migration {
  /** The last release that has the old resource, e.g. `0.2.0`. */
  readonly from: string;
  /** Logical ID of the resource that the update replaces or removes. */
  readonly resource: string;
  readonly dataVersion: number;
  /** Path of the test that migrates data, with cards under way. */
  readonly test: string;
}

/** Every replacement of a lasting resource since a release. docs/deploy.md says for operators how each is done. */
export const migrations: readonly Migration[] = [];
