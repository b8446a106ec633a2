/** The most that a function can be asked, or one way of asking much of it. */
export interface LargestInput {
  readonly name: string;
  /** One after the other, in the same process; made right before, so that not all inputs are in memory at once. */
  readonly events: () => readonly object[] | Promise<readonly object[]>;
  /** Variables that replace those of the function. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Set where it is the other inputs in turn, between which V8 has not tidied up. */
  readonly inTurn?: true;
  /** How each answer begins, as JSON text; where one begins otherwise, the input did not get through. */
  readonly answered: RegExp;
}
