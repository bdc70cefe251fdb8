import type { SessionScope } from "@skillwright/core";

/** The number of writes of a writer in these tests. */
export const ROUNDS = 40;

export const SCOPE: SessionScope = { app: "test", user: "ada", session: "shared" };
