import type { ComponentChildren } from "preact";

interface FactProps {
  readonly name: string;
  readonly marks?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A value with its name, in a list of them. @param marks what is to be known about it */
export const Fact = ({ name, marks, children }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {children}
      {marks}
    </dd>
  </div>
);
