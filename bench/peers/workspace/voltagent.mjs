import { LocalSandbox, NodeFilesystemBackend, Workspace } from "@voltagent/core";

export default {
  package: "@voltagent/core",
  async use({ home, files, command, output }) {
    const workspace = new Workspace({
      filesystem: { backend: new NodeFilesystemBackend({ rootDir: home, virtualMode: true }) },
      sandbox: new LocalSandbox({ rootDir: home }),
    });
    for (const [path, content] of files) await workspace.filesystem.write(`/${path}`, content.toString());
    await workspace.sandbox.execute({ command: "bash", args: ["-c", command], cwd: home });
    const data = await workspace.filesystem.readRaw(`/${output}`);
    return { text: data.content.join("\n"), close: () => workspace.destroy?.() };
  },
};
