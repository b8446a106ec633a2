/** The most that a function can be asked, or one way of asking much of it. */
export interface LargestInput {
  readonly name: string;
  /** One after the other, in the same process; made right before, so that not all inputs are in memory at once. */
  readonly events: () => readonly object[] | Promise<readonly object[]>;
  /** That it is no input of its own but others in turn, in an environment that V8 has not tidied in between. */
  readonly inTurn?: true;
  /** What each answer, as JSON text, begins with; another one is of an input that did not get through. */
  readonly answered: RegExp;
}
