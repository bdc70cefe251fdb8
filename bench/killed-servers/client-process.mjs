/**
 * A client that has one turn in a process of its own, whatever happens to its servers: `fork("client-process.mjs", [name])`.
 * The parent process sends it the addresses and tokens of the servers, again after each change, and receives each event. The client
 * uploads a file first, and sends each request to the next server.
 */
import { once } from "node:events";
import { askAt } from "./ask-at.mjs";
import { clientTurn } from "./client.mjs";

class ToldEvents extends Array {
  /** @override */
  push(event) {
    process.send?.(event);
    return super.push(event);
  }
}

const [name = ""] = process.argv.slice(2);
let [servers] = await once(process, "message");
process.on("message", (changed) => {
  servers = changed;
});
let asked = 0;
const serverNow = async () => ({ ask: askAt(servers[asked++ % servers.length]) });

while (!(await isUploaded().catch(() => false)));
await clientTurn(name, name, serverNow, new ToldEvents());
process.disconnect();

async function isUploaded() {
  const { ask } = await serverNow();
  await ask("/conversations", { json: { id: name } });
  const path = `/conversations/${name}/uploads/given.txt`;
  return (await ask(path, { method: "PUT", body: name })).status === 201;
}
