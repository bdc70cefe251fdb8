import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { sentMessages, systemMessagesOf } from "../src/loop/sent-messages.js";

const history: readonly ModelMessage[] = [
  { role: "system", content: "profile" },
  { role: "user", content: "one" },
  { role: "assistant", content: "a" },
  { role: "system", content: "again" },
  { role: "system", content: "bodies" },
  { role: "user", content: "two" },
];
const texts = (messages: readonly ModelMessage[]) =>
  messages.map(({ role, content }) => `${role}: ${String(content)}`);

describe("system messages are sent", () => {
  test("in place, where the model accepts them anywhere", () => {
    expect(sentMessages(history, { systemMessages: "anywhere" })).toEqual(history);
  });

  test("before the user's next message, where it accepts them only at the beginning", () => {
    expect(texts(sentMessages(history, { systemMessages: "first" }))).toEqual([
      "system: profile",
      "user: one",
      "assistant: a",
      "user: again\n\nbodies\n\n## Request\n\ntwo",
    ]);
  });

  test("all before the user's, where it accepts none; the preface first (PROMPT-20)", () => {
    expect(texts(sentMessages(history, { systemMessages: "none", preface: "overview" }))).toEqual([
      "user: overview\n\nprofile\n\n## Request\n\none",
      "assistant: a",
      "user: again\n\nbodies\n\n## Request\n\ntwo",
    ]);
  });

  test.each(["anywhere", "first", "none"] as const)(
    "%s: a longer history begins with the shorter one",
    (systemMessages) => {
      const whole = texts(sentMessages(history, { systemMessages, preface: "overview" }));
      for (const length of [2, 3, 6]) {
        const part = texts(sentMessages(history.slice(0, length), { systemMessages, preface: "overview" }));
        expect(whole.slice(0, part.length)).toEqual(part);
      }
    },
  );
});

test.each([
  ["openai.chat", true, "anywhere"],
  ["anthropic.messages", true, "first"],
  ["anthropic.messages", false, "none"],
])("%s with system prompts %s accepts them %s", (provider, systemPrompt, expected) => {
  expect(systemMessagesOf(provider, systemPrompt)).toBe(expected);
});
