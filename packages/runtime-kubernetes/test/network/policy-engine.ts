import { execFileSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import type { TestNamespace } from "../cluster-setup/cluster.js";

const TABLE = "skillwright_test";

/** Enforces the policy of a namespace on the bridge of the test cluster, as a network plug-in does: open pods reach each other. */
export function policyEngine({ name, kubectl }: TestNamespace): AsyncDisposable {
  nft(`table bridge ${TABLE} {
    set open { type ipv4_addr; }
    chain forward {
      type filter hook forward priority 0;
      ip saddr @open ip daddr @open accept
      ether type ip drop
    }
  }`);
  let isOver = false;
  const working = (async () => {
    const path = "jsonpath={.items[*].status.podIP}";
    while (!isOver) {
      const open = kubectl(["-n", name, "get", "pods", "-l", "skillwright.dev/network=open", "-o", path]);
      const addresses = open.split(" ").filter(Boolean);
      const added =
        addresses.length > 0 ? `add element bridge ${TABLE} open { ${addresses.join(", ")} }\n` : "";
      nft(`flush set bridge ${TABLE} open\n${added}`);
      await setTimeout(200);
    }
  })();
  return {
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      await working;
      nft(`delete table bridge ${TABLE}`);
    },
  };
}

function nft(rules: string): void {
  execFileSync("nft", ["-f", "-"], { input: rules });
}
