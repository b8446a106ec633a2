import type { CardRefusal } from "@scorecard-pipeline/scorecards-client";
import { texts } from "../texts/texts.ts";
import { Values } from "./values.tsx";

/** A fault as the API told it: what and what to do, the values, and where for those who look into the card's JSON. */
export function RefusalFault({
  fault,
}: {
  readonly fault: Pick<CardRefusal, "pointer" | "detail" | "expected" | "received">;
}) {
  const { pointer, detail } = fault;
  return (
    <>
      <p>{detail}</p>
      <Values finding={fault} />
      <p class="quiet">
        <code>{pointer === "" ? texts.refusals.wholeCard : pointer}</code>
      </p>
    </>
  );
}
