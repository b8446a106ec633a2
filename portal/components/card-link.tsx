import type { ComponentChildren } from "preact";
import { toAddress } from "../base/route.ts";
import { texts } from "../texts/texts.ts";

/** A link to a card, by its ExternalID if no other text is given. A card that was refused may have none. */
export function CardLink({
  externalId,
  children = externalId,
}: {
  readonly externalId: string | undefined;
  readonly children?: ComponentChildren;
}) {
  if (externalId === undefined) return <span>{texts.refusals.noName}</span>;
  return <a href={toAddress({ view: "card", externalId })}>{children}</a>;
}
