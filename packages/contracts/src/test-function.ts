/** A test runner's function to register a test, such as `test` of Vitest or node:test. */
export type TestFunction = (name: string, run: () => Promise<void>) => unknown;
