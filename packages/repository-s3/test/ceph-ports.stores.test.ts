import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { freePorts } from "../../../scripts/servers/ceph/free-ports.mjs";
import { keepCeph } from "../../../scripts/servers/ceph/keep-ceph.mjs";
import { hasAll } from "../../../test/needs/has-all.js";

if (hasAll("an S3 server"))
  it.each([
    ["monitor", 0],
    ["gateway", 1],
  ] as const)(
    "the S3 server of the tests is started at other ports where another program has taken that of its %s",
    async (_, which) => {
      const other = createServer().listen(0, "127.0.0.1");
      onTestFinished(() => void other.close());
      await once(other, "listening");
      const folder = mkdtempSync(join(tmpdir(), "c-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      let chosen = 0;
      const choosePorts = async (count: number) => {
        const ports = await freePorts(count);
        if (chosen++ === 0) ports[which] = (other.address() as AddressInfo).port;
        return ports;
      };
      const { details, stop } = await keepCeph(folder, { choosePorts });
      onTestFinished(stop);
      expect([chosen, (await fetch(details.endpoint)).status]).toEqual([2, 200]);
    },
  );
