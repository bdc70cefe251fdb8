import { LocalShellBackend } from "deepagents";

export default {
  package: "deepagents",
  async use({ home, files, command, output }) {
    const backend = await LocalShellBackend.create({ rootDir: home, virtualMode: true });
    await backend.uploadFiles(files.map(([path, content]) => [`/${path}`, content]));
    await backend.execute(command);
    await backend.glob("**/*.txt", "/");
    const [{ content }] = await backend.downloadFiles([`/${output}`]);
    return { text: Buffer.from(content).toString(), close: () => backend.close() };
  },
};
