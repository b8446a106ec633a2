import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest, by the ends of their paths: one that starts last would have all other workers wait for it. */
const longFiles = [
  "proofs/new-days.proof.ts",
  "end-to-end/upgrade.proof.ts",
  "end-to-end/generated-clients.proof.ts",
  "end-to-end/faults/chaos.proof.ts",
  "end-to-end/alarms.proof.ts",
  "register/course-lives.test.ts",
  // One that computes beside three that wait.
  "explore/submissions.test.ts",
  "end-to-end/portal-tables.test.ts",
  "end-to-end/portal.test.ts",
  "end-to-end/portal-card-actions.test.ts",
  "explore/withdrawals.test.ts",
  "explore/corrections.test.ts",
  "simulation/exchanges.test.ts",
  "end-to-end/rehearsals.proof.ts",
  "command/redrive-and-restore.proof.ts",
  "faults/faults.proof.ts",
  "end-to-end/start-command.proof.ts",
  "end-to-end/webhook-queues.test.ts",
  "end-to-end/portal-tournaments.test.ts",
  "command/submit.test.ts",
  "command/person-command.test.ts",
  "command/delivery-command.test.ts",
  "simulation/judge.proof.ts",
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
