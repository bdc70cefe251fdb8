import { SKILL_STATE_KEYS } from "@skillwright/core";
import { expect, test } from "vitest";
import { recordedSpans } from "../../core/test/recorded-spans.js";
import { injector } from "../src/index.js";
import { skill, snapshotOf } from "./catalogue.js";

const recorded = recordedSpans();

test("each text for the model has a span with its length and the number of its diagnostics", () => {
  const snapshot = snapshotOf([skill("one", { description: "Sings the-secret-song" })]);
  const state = { [SKILL_STATE_KEYS.loaded("one")]: "1" };
  const bodies = new Map([["one", "the-secret-body"]]);
  const inject = injector();
  const { text } = inject.overview({ snapshot });
  inject.turnNote({ snapshot });
  const written = inject.putBack({ snapshot, state, bodies }, new Set()).text;
  expect(written).toContain("the-secret-body");
  inject.putBack({ snapshot, state }, new Set());
  expect(recorded.ended()).toEqual([
    ["injector.overview", { characters: text.length, diagnostics: 0 }],
    ["injector.note", { characters: 0, diagnostics: 0 }],
    ["injector.put-back", { characters: written.length, diagnostics: 0 }],
    ["injector.put-back", { characters: 0, diagnostics: 1 }],
  ]);
  expect(recorded.text()).not.toContain("secret");
});

test("a system prompt has one span, and equal inputs give equal bytes inside and outside of spans", () => {
  const snapshot = snapshotOf([skill("one")]);
  const prompt = injector().enhanceSystemPrompt("Base", { snapshot });
  expect(recorded.ended().map(([name]) => name)).toEqual(["injector.overview"]);
  expect(injector().prompt({ base: "Base", message: "m", systemPrompt: true }, { snapshot }).system).toBe(
    prompt,
  );
});
