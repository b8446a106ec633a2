/**
 * The form of the stored data: tables, messages and secrets. It rises by one with each release whose data an earlier release cannot use, which
 * needs a migration in `releases/migrations.ts`. The stack's output `DataVersion` says which one is deployed.
 */
export const dataVersion = 1;
