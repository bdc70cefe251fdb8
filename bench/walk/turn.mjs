import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { built } from "../built.mjs";
import { writeGreet } from "../mcp/run-in-process.mjs";
import { benchServer } from "../server/bench-server.mjs";
import { entered, told } from "./entered.mjs";

/** The first turn of a conversation, which makes its workspace, in a server that has answered another one. */
export async function measure() {
  const [{ skillBox }, { fsRepository }] = [await built("skillbox"), await built("repository-fs")];
  const place = mkdtempSync(`${tmpdir()}/skillwright-bench-walk-`);
  // Commands run as another user.
  chmodSync(place, 0o711);
  process.on("exit", () => rmSync(place, { recursive: true, force: true }));
  // Beside the records: a folder that is watched holds nothing else that changes.
  writeGreet(`${place}/skills`);
  const skills = skillBox({ own: fsRepository({ root: `${place}/skills` }) });
  const { records, close } = await (await built("config")).openRecords(`${place}/records`);
  const steps = [{ load: "greet" }, { command: "true" }, { text: "Done." }];
  const server = await benchServer(steps, { more: { skills, records } });
  await said(server, await server.conversation());
  const id = await server.conversation();
  const files = await entered(() => said(server, id));
  await server.close();
  await close?.();
  await skills.close();
  return told(files);
}

async function said(server, id) {
  const text = await (await server.say(id)).text();
  if (!text.includes('"exitCode":0') || !text.includes('"finishReason":"stop"'))
    throw new Error(`the turn did not load and run: ${text.slice(-600)}`);
}
