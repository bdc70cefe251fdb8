/** Builds the Kubernetes of this machine, so that its suites find it; where none can be had, there is nothing to build. */
import { checks } from "../scripts/checks.mjs";
import { buildCluster } from "../scripts/cluster/start-cluster.mjs";

const { check, close } = checks();
await check("the Kubernetes of this machine is built, where one can be had", buildCluster);
close();
