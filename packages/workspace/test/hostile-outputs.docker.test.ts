import { randomBytes } from "node:crypto";
import { dockerRuntime } from "@skillwright/runtime-docker";
import { describe } from "vitest";
import { engines, LOCAL_ENGINES } from "../../runtime-docker/test/engine-setup/engines.js";
import { hostileOutputs } from "./hostile-outputs-of-containers.js";

describe.each(await engines(LOCAL_ENGINES))("hostile outputs on $name", ({ host, image }) => {
  const namespace = `outputs-${randomBytes(6).toString("hex")}`;
  hostileOutputs({
    make: (more) => dockerRuntime({ engine: { host }, image, pull: "never", namespace, ...more }),
  });
});
