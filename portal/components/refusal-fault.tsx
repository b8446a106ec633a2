import type { CardRefusal } from "@scorecard-pipeline/scorecards-client";
import { texts } from "../texts/texts.ts";
import { Values } from "./values.tsx";

/** A fault as the API told it: where, what and what to do, and the values. */
export function RefusalFault({
  fault,
}: {
  readonly fault: Pick<CardRefusal, "pointer" | "detail" | "expected" | "received">;
}) {
  const { pointer, detail } = fault;
  return (
    <>
      <p>
        <code>{pointer === "" ? texts.refusals.wholeCard : pointer}</code> {detail}
      </p>
      <Values finding={fault} />
    </>
  );
}
