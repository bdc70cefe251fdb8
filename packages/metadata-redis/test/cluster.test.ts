import { testMetadataIndex, testRecordStore } from "@skillwright/contracts";
import type { Cluster } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { keyPart } from "../src/connection/redis-place.js";
import { redisIndex, redisRecords } from "../src/index.js";
import { eventually } from "./eventually.js";
import { type RedisCluster, startRedisCluster } from "./redis-server/redis-cluster.js";
import { subjects } from "./redis-server/subjects.js";

test("no name can break out of the braces that determine the slot", () => {
  for (const name of ["}", "{", "a}:{b", "{}"]) expect(keyPart(name)).not.toMatch(/[{}]/);
});

if (hasAll("redis-server"))
  describe("on a cluster of three nodes", () => {
    let cluster: RedisCluster;
    let clients: readonly Cluster[];
    beforeAll(async () => {
      cluster = await startRedisCluster();
      clients = [cluster.connect(), cluster.connect()];
    });
    afterAll(async () => await cluster.stop());

    const on = subjects(
      () => clients[0] as Cluster,
      () => clients[1] as Cluster,
    );
    testMetadataIndex(test, on.index);
    testRecordStore(test, on.records);

    test("collections with any names are spread over all nodes", async () => {
      const records = redisRecords({ client: clients[0] as Cluster, prefix: "many:" });
      const users = [
        ...Array.from({ length: 30 }, (_, number) => `user-${number}`),
        ...["}", "{a}", "a}{b", "{}"],
      ];
      for (const user of users)
        await records.write(["app", user, "s"], { value: user, append: { log: [user] } });
      for (const user of users) {
        expect((await records.get(["app", user, "s"])).value).toBe(user);
        expect(await records.read(["app", user, "s"], "log", { from: 0, limit: 2 })).toEqual([user]);
      }
      for (const node of cluster.nodes) expect(await node.connect().keys("many:*")).not.toEqual([]);
    });

    test("a listener whose connection is killed is notified, and continues on any node", async () => {
      const [reader, writer] = clients as readonly [Cluster, Cluster];
      const revisions: number[] = [];
      const index = redisIndex({ client: reader, prefix: "killed:", name: "skills" });
      await index.subscribe((revision) => void revisions.push(revision));
      for (const node of cluster.nodes) await node.connect().call("client", "KILL", "TYPE", "pubsub");
      await eventually(() => revisions).toHaveLength(1);
      const from = await redisIndex({ client: writer, prefix: "killed:", name: "skills" }).write({
        from: undefined,
        put: [],
        remove: [],
      });
      await eventually(() => revisions.at(-1)).toBe(from);
      await index.close();
    });
  });
