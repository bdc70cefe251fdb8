/** What is wrong with the user's file or command, with what to do about it. Ends the program with exit code 2. */
export class InputError extends Error {
  constructor(problem, remedy) {
    super(`${problem} ${remedy}`);
  }
}
