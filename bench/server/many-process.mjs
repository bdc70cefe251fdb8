// A server of its own process, whose turns each run one command. Makes the conversations it is asked for; ends when it is told to.
import { benchServer } from "./bench-server.mjs";

const server = await benchServer([{ command: process.argv[2] }, { text: "Done." }]);
await server.runtime.capabilities();
process.on("message", async (/** @type {{ conversations?: number }} */ { conversations }) => {
  if (conversations === undefined) {
    await server.close();
    process.exit();
  }
  const ids = await Promise.all(Array.from({ length: conversations }, () => server.conversation()));
  process.send?.({ turns: ids.map(server.turns) });
});
process.send?.("ready");
