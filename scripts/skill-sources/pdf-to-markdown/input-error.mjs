/** An error in the user's file or command, with the remedy. Ends the program with exit code 2. */
export class InputError extends Error {
  constructor(problem, remedy) {
    super(`${problem} ${remedy}`);
  }
}
