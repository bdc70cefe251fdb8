import { hasAll } from "../needs/has-all.js";
import { limits } from "./limits.js";
import { testLimits } from "./test-limits.js";

// These are in a file of their own, because the gate runs a file that needs a program twice: with the program and without it.
for (const limit of limits) if (limit.needs !== undefined && hasAll(limit.needs)) testLimits([limit]);
