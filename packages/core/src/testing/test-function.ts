/** Any runner's way to register a test: Vitest's and node:test's `test` both fit. */
export type TestFunction = (name: string, run: () => Promise<void>) => unknown;
