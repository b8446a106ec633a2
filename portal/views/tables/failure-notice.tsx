import type { ComponentChildren } from "preact";
import type { WorkerFailure } from "../../tables/worker-messages.ts";
import { words } from "../../texts/tables/texts.ts";

/** Says why a table could not be checked or sent. @param children what to do */
export const FailureNotice = ({
  failure: { kind, detail = "" },
  children,
}: {
  readonly failure: WorkerFailure;
  readonly children?: ComponentChildren;
}) => (
  <section class="notice fault" role="alert">
    <h2>{words.failure.title}</h2>
    <p>{kind === "other" ? words.failure.other(detail) : words.failure[kind]}</p>
    {children}
  </section>
);

/** Says that the worker has ended, what is kept, and what to do. */
export const Ended = ({
  name,
  onAgain,
}: {
  readonly name: string;
  readonly onAgain: () => Promise<void>;
}) => (
  <section class="notice fault" role="alert">
    <h2>{words.ended.title}</h2>
    <p>{words.ended.text(name)}</p>
    <button type="button" onClick={() => void onAgain().catch(() => undefined)}>
      {words.ended.again}
    </button>
  </section>
);
