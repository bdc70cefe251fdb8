import type { SessionScope } from "@skillwright/core";

/** Scopes that a store might confuse if it joins their parts. */
export const SIMILAR_SCOPES: readonly SessionScope[] = [
  { app: "a", user: "b", session: "c" },
  { app: "a/b", user: "c", session: "d" },
  { app: "a", user: "b/c", session: "d" },
  { app: "A", user: "b", session: "c" },
  { app: "a:{b}", user: "c", session: ".." },
  { app: "a", user: "b:c", session: ".." },
];

/** None of these is a valid part of a scope. */
export const UNFIT_PARTS = ["", "x".repeat(129), "a\u0000b", "a\ud800", "\udc00a"];
