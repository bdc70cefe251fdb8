import { createBashTool } from "bash-tool";

/** A shell written in JavaScript over files in memory: no process and no isolation. */
export default {
  package: "bash-tool",
  note: "simulated shell, no process",
  async use({ files, command, output }) {
    const texts = Object.fromEntries(files.map(([path, content]) => [path, content.toString()]));
    const { tools, sandbox } = await createBashTool({ files: texts });
    await tools.bash.execute({ command }, {});
    return { text: await sandbox.readFile(`/workspace/${output}`), close: () => sandbox.stop?.() };
  },
};
