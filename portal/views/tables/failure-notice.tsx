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
