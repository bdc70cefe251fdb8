import { testBreakages, testContract } from "@skillwright/contracts";
import { describe, test } from "vitest";
import { cachedBreakages } from "./cached-breakages.js";
import { cachedPromises } from "./cached-promises.js";
import { cachedSubject } from "./cached-subject.js";
import { failingPromises } from "./failing-promises.js";

const promises = [...cachedPromises, ...failingPromises];

testContract(test, promises, cachedSubject);

describe("broken caches", () => {
  testBreakages(test, promises, cachedBreakages, cachedSubject);
});
