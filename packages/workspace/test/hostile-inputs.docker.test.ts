import { randomBytes } from "node:crypto";
import { dockerRuntime } from "@skillwright/runtime-docker";
import { describe } from "vitest";
import { engines, LOCAL_ENGINES } from "../../runtime-docker/test/engine-setup/engines.js";
import { hostileInputs } from "./hostile-inputs-of-containers.js";

describe.each(await engines(LOCAL_ENGINES))("hostile inputs on $name", ({ name, host, image }) => {
  const make = () => {
    const namespace = `inputs-${randomBytes(6).toString("hex")}`;
    return dockerRuntime({ engine: { host }, image, pull: "never", namespace });
  };
  hostileInputs(make, name === "docker");
});
