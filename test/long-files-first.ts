import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest, by the ends of their paths: one that starts last would have all other workers wait for it. */
const longFiles = [
  "proofs/new-days.proof.ts",
  "end-to-end/upgrade.proof.ts",
  "end-to-end/generated-clients.proof.ts",
  "end-to-end/faults/chaos.proof.ts",
  "end-to-end/alarms.proof.ts",
  "simulation/storms.test.ts",
  "end-to-end/portal.test.ts",
  "simulation/exchanges.test.ts",
  "end-to-end/portal-tables.test.ts",
  "end-to-end/rehearsals.proof.ts",
  "command/redrive-and-restore.proof.ts",
  "faults/faults.proof.ts",
  "end-to-end/start-command.proof.ts",
  "end-to-end/webhook-queues.test.ts",
  "end-to-end/portal-tournaments.test.ts",
  "command/submit.test.ts",
  "simulation/judge.proof.ts",
  "cards/former-failures.test.ts",
];

/** Runs the long files first, and the others as Vitest sorts them. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = longFiles.findIndex((file) => moduleId.endsWith(file));
      return index === -1 ? longFiles.length : index;
    };
    const order = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => order(one) - order(other) || place(one) - place(other));
  }
}
