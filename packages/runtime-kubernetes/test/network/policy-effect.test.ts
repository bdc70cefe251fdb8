import { expect, test } from "vitest";
import { policyEffect } from "../../src/network/policy-effect.js";

/** What is reached while the policy does not apply, and while it does. */
function probe(without: boolean, within: boolean) {
  let isApplied = false;
  return {
    reaches: async () => (isApplied ? within : without),
    apply: async (wanted: boolean) => {
      isApplied = wanted;
    },
  };
}

test("a policy is enforced where a pod is reached only without it (KUBE-32)", async () => {
  expect((await policyEffect(probe(true, false))).state).toBe("enforced");
  expect((await policyEffect(probe(true, true))).state).toBe("not enforced");
});

test("a pod that is never reached is no evidence (KUBE-33)", async () => {
  expect(await policyEffect(probe(false, false))).toEqual({
    state: "unknown",
    because: "a pod without the policy did not reach the other one either",
  });
});

test("a pod that was reached before the policy applied, and not afterwards, is no evidence (KUBE-34)", async () => {
  const given = probe(true, false);
  let changes = 0;
  const { state } = await policyEffect({
    reaches: async () => (changes < 2 ? await given.reaches() : false),
    apply: async (isApplied) => {
      changes += 1;
      await given.apply(isApplied);
    },
  });
  expect(state).toBe("unknown");
});

test("an image without the program to measure with leaves it unknown (KUBE-35)", async () => {
  const given = { ...probe(true, false), reaches: async () => undefined };
  expect((await policyEffect(given)).because).toContain("no bash");
});
