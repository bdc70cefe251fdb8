export type { TestFunction } from "./testing/test-function.js";
