import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { engineRequest } from "../../../../scripts/engines/engine-request.mjs";
import { engines } from "./engines.js";

describe.each(await engines())("the shared engine $name", ({ name, host, image }) => {
  it("answers at its address and has the test image", async () => {
    expect(await engineRequest(host, "GET", "/_ping")).toMatchObject({ status: 200 });
    expect(await engineRequest(host, "GET", `/images/${image}/json`)).toMatchObject({ status: 200 });
  });

  it("is the same one for every caller", async () => {
    expect(await engines([name])).toEqual([{ name, host, image }]);
  });
});

describe.each(await engines(["tcp"]))("the shared engine $name", ({ host }) => {
  it("is at the other end of a pair of interfaces, and not in this network namespace", async () => {
    const { hostname, port } = new URL(host);
    const here = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    expect(here.map(({ address }) => address)).not.toContain(hostname);
    expect(here.map(({ cidr }) => cidr)).toContain(
      `${hostname.replace(/\d+$/, (last) => `${Number(last) - 1}`)}/30`,
    );
    await expect(engineRequest(`tcp://127.0.0.1:${port}`, "GET", "/_ping")).rejects.toThrow(/ECONNREFUSED/);
  });
});
