import { Redis } from "./packages.mjs";

/**
 * A client of the server; `spent` returns the bytes on its connection, and the commands that all clients sent to the server.
 */
export async function countedRedis({ redisPort }) {
  const connect = () => new Redis({ host: "127.0.0.1", port: redisPort });
  const [client, observer] = [connect(), connect()];
  await Promise.all([client.ping(), observer.ping()]);
  const spent = async () => ({
    requests: commandsIn(await observer.info("commandstats")),
    bytes: client.stream.bytesRead + client.stream.bytesWritten,
  });
  const close = () => {
    for (const one of [client, observer]) one.disconnect();
  };
  return { client, spent, close };
}

/** Calls within scripts are counted there too; our scripts call nothing else. */
const WITHIN_SCRIPTS = ["type", "hget", "hmget", "hset", "hdel", "del", "time", "publish"];

function commandsIn(statistics) {
  const counts = [...statistics.matchAll(/cmdstat_([^:\s]+):calls=(\d+)/g)].map(([, name, calls]) => [
    name,
    Number(calls),
  ]);
  const sent = counts.filter(([name]) => name !== "info" && !WITHIN_SCRIPTS.includes(name));
  return Object.fromEntries(sent.map(([name, calls]) => [name.toUpperCase(), calls]));
}
