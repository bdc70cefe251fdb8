import { memoryIndex } from "../../../repository-memory/test/broken/memory-index.js";
import { fs, memory } from "./adapters.js";
import { plain, withIndex, withoutIndex } from "./combinators.js";
import { testWritableComposition } from "./test-composition.js";

const all = [plain, ...withoutIndex, ...withIndex];

testWritableComposition(memory, all, memoryIndex);
testWritableComposition(fs, all, memoryIndex);
