import { isFull } from "../../../../test/full-form.js";
import { memoryIndex } from "../../../repository-memory/test/broken/memory-index.js";
import { git, http } from "./adapters.js";
import { named, withIndex, withoutIndex } from "./combinators.js";
import { testComposition } from "./test-composition.js";

const two = named("cached, each call by another process", "layered(fs, cached(indexed))");

testComposition(http, isFull ? [...withoutIndex, ...withIndex] : two, memoryIndex);

// Each promise runs a dozen git processes.
if (isFull) testComposition(git, [...withoutIndex, ...withIndex], memoryIndex);
