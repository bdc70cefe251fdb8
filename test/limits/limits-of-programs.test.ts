import { hasAll } from "../needs/has-all.js";
import { limits } from "./limits.js";
import { testLimits } from "./test-limits.js";

// In a file of their own, because a file that needs a program is run again as a whole where that is installed.
for (const limit of limits) if (limit.needs !== undefined && hasAll(limit.needs)) testLimits([limit]);
