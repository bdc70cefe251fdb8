import type { SessionScope } from "@skillwright/core";

/** How often a writer of these tests writes. */
export const ROUNDS = 40;

export const SCOPE: SessionScope = { app: "test", user: "ada", session: "shared" };
