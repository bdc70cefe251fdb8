import { contentStorePromises, testBreakages } from "@skillwright/contracts";
import { test } from "vitest";
import { fsContentStore } from "../../src/index.js";
import { temporaryDirectory } from "../fs-subject.js";
import { contentBreakages } from "./content-breakages.js";

testBreakages(test, contentStorePromises, contentBreakages, async () => {
  const { root, dispose } = await temporaryDirectory();
  return { store: fsContentStore({ root }), other: fsContentStore({ root }), dispose };
});
