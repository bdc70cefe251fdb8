import { LocalFilesystem, LocalSandbox, Workspace } from "@mastra/core/workspace";

export default {
  package: "@mastra/core",
  async use({ home, files, command, output }) {
    const workspace = new Workspace({
      filesystem: new LocalFilesystem({ basePath: home }),
      sandbox: new LocalSandbox({ workingDirectory: home }),
    });
    await workspace.init();
    for (const [path, content] of files)
      await workspace.filesystem.writeFile(path, content, { recursive: true });
    await workspace.sandbox.executeCommand("bash", ["-c", command]);
    const text = await workspace.filesystem.readFile(output, { encoding: "utf8" });
    return { text: `${text}`, close: () => workspace.destroy() };
  },
};
