import { memoryIndex } from "../../../repository-memory/test/broken/memory-index.js";
import { git, http } from "./adapters.js";
import { named, plain, withIndex, withoutIndex } from "./combinators.js";
import { testComposition } from "./test-composition.js";

testComposition(http, [plain, ...withoutIndex, ...withIndex], memoryIndex);

// Each promise runs a dozen git processes: two combinators are tested here, the third together with the suites on
// Redis.
testComposition(git, named("layered, first", "cached, each call by another process"), memoryIndex);
