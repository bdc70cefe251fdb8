import type { SkillError } from "@skillwright/core";
import { expect, test } from "vitest";
import type { ClusterCall } from "../src/cluster/cluster.js";
import { answerError, unreachable } from "../src/cluster/cluster-error.js";
import { untilAccepted } from "../src/cluster/until-accepted.js";
import type { Pod } from "../src/pod/pod.js";
import type { WorkspacePods } from "../src/pod/workspace-pods.js";
import { podFate } from "../src/workspace/pod-fate.js";

const removal: ClusterCall = {
  method: "DELETE",
  path: "/apis/extensions.agents.x-k8s.io/v1alpha1/namespaces/n/sandboxclaims/w1",
  doing: "Removing the SandboxClaim w1",
};
const lost = unreachable(removal, "https://127.0.0.1", Object.assign(new Error("gone"), { code: "EPIPE" }));
const noRight = refused(403, 'sandboxclaims is forbidden: User "u" cannot delete resource "sandboxclaims"');
const noToken = refused(401, "Unauthorized");

function refused(status: number, message: string): SkillError {
  return answerError(removal, status, JSON.stringify({ message, reason: "Any" }));
}

test.each([
  ["a missing right", [lost, noRight, noToken]],
  [
    "a namespace that it does not know yet",
    [refused(403, 'pods "a" is forbidden: not yet ready to handle request')],
  ],
])(
  "a call to a server that comes back with %s is sent again, also the first that needs the right (KUBE-92)",
  async (_, refusals) => {
    const left = [...refusals];
    const send = async () => {
      const error = left.shift();
      if (error) throw error;
      return "done";
    };
    expect(await untilAccepted()(removal, send, {})).toBe("done");
  },
);

test("a server that comes back without a right for good is told so, with the remedy to try again first (KUBE-49)", async () => {
  let isFirst = true;
  const send = async () => {
    const error = isFirst ? lost : noRight;
    isFirst = false;
    throw error;
  };
  await expect(untilAccepted()(removal, send, {})).rejects.toMatchObject({
    code: "BACKEND_FAILED",
    message: expect.stringMatching(/\. Try again in a minute: .* give the service account this right/),
    details: { status: 403 },
  });
});

test("a missing right is told at once where the server was never away, or long ago", async () => {
  let nowMs = 0;
  let sent = 0;
  const accepted = untilAccepted(() => nowMs);
  const read = { path: removal.path, doing: "Reading" };
  const answers = [lost];
  await accepted(
    read,
    async () => {
      const error = answers.shift();
      if (error) throw error;
    },
    {},
  );
  nowMs = 60_000;
  const send = async () => {
    sent += 1;
    throw noRight;
  };
  await expect(accepted(removal, send, {})).rejects.toBe(noRight);
  expect(sent).toBe(1);
});

test.each([
  ["400", 400, "no"],
  ["401", 401, "Unauthorized"],
  ["403 of a right", 403, 'User "u" cannot delete resource "sandboxclaims"'],
  ["403 of a server that starts", 403, 'pods "a" is forbidden: not yet ready to handle request'],
  ["403 of a quota", 403, "exceeded quota: q"],
  ["403 of a rule", 403, "admission webhook denied the request: no."],
  ["500", 500, "etcdserver: leader changed"],
  ["500 without words", 500, ""],
])("every refusal ends with a remedy: %s", (_, status, message) => {
  expect(refused(status, message).message).toMatch(
    /[^.]\. (?:Check|Try|Use|Raise|Give|Change|Remove) [^.]+\.$/,
  );
});

test("the end of a pod is told with its reason, which the node gives after the end of a container (KUBE-46)", async () => {
  const ended = { name: "work", state: { terminated: { reason: "Error" } } };
  const states = [
    podWith({ phase: "Running", containerStatuses: [ended] }),
    podWith({ phase: "Failed", reason: "Evicted", message: "It is full.", containerStatuses: [ended] }),
  ];
  expect(await fateOf(states)).toMatchObject({
    code: "pod.evicted",
    message: expect.stringContaining("full"),
  });
});

test("the end of a container alone is told where the node gives no reason (KUBE-98)", async () => {
  const ended = { name: "work", state: { terminated: { reason: "Error" } } };
  expect(await fateOf([podWith({ phase: "Running", containerStatuses: [ended] })])).toMatchObject({
    code: "pod.removed",
  });
});

async function fateOf(states: Pod[]) {
  const look = async () => (states.length > 1 ? states.shift() : states[0]);
  const reach = async () => expect.unreachable("A container has ended.");
  const { signal: closed } = new AbortController();
  return await podFate({ look } as unknown as WorkspacePods, states[0] as Pod, { reach, closed });
}

function podWith(status: object): Pod {
  return { metadata: { name: "p", uid: "u" }, status } as unknown as Pod;
}
