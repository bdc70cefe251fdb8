import { file, Manifest } from "@openai/agents/sandbox";
import { UnixLocalSandboxClient } from "@openai/agents/sandbox/local";

export default {
  package: "@openai/agents",
  async use({ home, files, command, output }) {
    const client = new UnixLocalSandboxClient({ workspaceBaseDir: home });
    const session = await client.create(new Manifest({}));
    for (const [path, content] of files) await session.materializeEntry({ path, entry: file({ content }) });
    await session.exec({ cmd: command, login: false });
    await session.listDir({ path: "out" });
    const text = Buffer.from(await session.readFile({ path: output })).toString();
    return { text, close: () => session.close() };
  },
};
