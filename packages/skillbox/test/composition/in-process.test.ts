import { isFull } from "../../../../test/full-form.js";
import { memoryIndex } from "../../../repository-memory/test/broken/memory-index.js";
import { fs, memory } from "./adapters.js";
import { named, withIndex, withoutIndex } from "./combinators.js";
import { testWritableComposition } from "./test-composition.js";

const all = [...withoutIndex, ...withIndex];
const two = named("cached, each call by another process", "layered(fs, cached(indexed))");

testWritableComposition(memory, all, memoryIndex);
testWritableComposition(fs, isFull ? all : two, memoryIndex);
