import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { inspect } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { redisClient } from "../src/clients/redis-client.js";

test("a Redis server that accepts connections and never answers fails to connect", async () => {
  const client = await redisClient(await silentServer(), 100);
  onTestFinished(() => client.disconnect());
  await expect(client.connect()).rejects.toThrow();
});

test.each(["redis://ada:geheim@host:99999999", "redis://ada:ge/geheim@[::x", "rediss://:geheim@host:port"])(
  "the invalid address %s is refused without its password",
  async (address) => {
    const refused = redisClient(address);
    await expect(refused).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect(inspect(await refused.catch((error: unknown) => error))).not.toContain("geheim");
  },
);

test("connecting and each command may take 5,000 ms by default", async () => {
  const { options } = await redisClient("redis://127.0.0.1:1");
  expect([options.connectTimeout, options.commandTimeout]).toEqual([5000, 5000]);
});

async function silentServer(): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on("error", () => undefined))).listen(
    0,
    "127.0.0.1",
  );
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
