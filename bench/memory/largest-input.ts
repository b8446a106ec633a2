/** The most that a function can be asked, or one way of asking much of it. */
export interface LargestInput {
  readonly name: string;
  /** One after the other, in the same process; made right before, so that not all inputs are in memory at once. */
  readonly events: () => readonly object[] | Promise<readonly object[]>;
  /** What each answer, as JSON text, begins with; another one is of an input that did not get through. */
  readonly answered: RegExp;
}
