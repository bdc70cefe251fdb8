/** Lets commands that succeed set another exit code than 0. */
export interface CommandOutcome {
  exitCode: number;
}
