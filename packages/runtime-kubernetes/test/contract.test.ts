import { testContract, testWorkspaceRuntime, workspaceRuntimePromises } from "@skillwright/contracts";
import { test } from "vitest";
import { isFull } from "../../../test/full-form.js";
import { shortForm } from "../../../test/short-form.js";
import { onCluster } from "./cluster-setup/cluster.js";
import { concurrentSubject } from "./kubernetes-subject.js";

/** Pods take most of their time to start, and little of the processor. */
const atOnce = test.concurrent;

const onRunc = {
  ...because(/\/get-many\//, "many calls of get cost no more for many files: a session with the pod is kept"),
  ...because(/\/network\/off$/, "nobody enforces policies on the cluster of the tests"),
  ...because(/\/skill-copies\/(run|workspace)$/, "commands see the staged skills themselves"),
};

const onGvisor = {
  ...onRunc,
  ...because(/\/output\/devices$/, "gVisor opens a pipe by its name for its owner only"),
  ...because(/\/destroy\/hostile-tree$/, "bash fails in paths longer than PATH_MAX on gVisor"),
  // On gVisor a named pipe is there only in the container that made it, so that hosts do not see it.
  ...because(/\/(get\/special|list\/entries|remove\/gone)$/, "named pipes of commands are not seen"),
};

onCluster("a pod on runc", (_, namespaces) => {
  testWorkspaceRuntime(atOnce, async () => concurrentSubject(namespaces), { skip: onRunc });
});

onCluster(
  "a claimed sandbox on gVisor",
  (_, namespaces) => {
    testWorkspaceRuntime(atOnce, async () => concurrentSubject(namespaces), { skip: onGvisor });
  },
  { runtimeClassName: "gvisor" },
);

/** The promises that the two other combinations of way and kernel are tested for: all with `SKILLWRIGHT_FULL=1`, otherwise the short form. */
const promisesOn = (skip: Readonly<Record<string, string>>) => {
  const all = workspaceRuntimePromises.filter(({ id }) => !(id in skip));
  return isFull ? all : shortForm(all);
};

onCluster("a pod on gVisor", (_, namespaces) => {
  const subject = async () => concurrentSubject(namespaces, { runtimeClassName: "gvisor" });
  testContract(atOnce, promisesOn(onGvisor), subject);
});

onCluster(
  "a claimed sandbox on runc",
  (_, namespaces) => {
    testContract(atOnce, promisesOn(onRunc), async () => concurrentSubject(namespaces));
  },
  {},
);

function because(ids: RegExp, reason: string): Readonly<Record<string, string>> {
  const named = workspaceRuntimePromises.filter(({ id }) => ids.test(id));
  return Object.fromEntries(named.map(({ id }) => [id, reason]));
}
