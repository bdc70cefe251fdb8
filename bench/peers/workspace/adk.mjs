import { LocalEnvironment } from "@google/adk";

export default {
  package: "@google/adk",
  async use({ home, files, command, output }) {
    const environment = new LocalEnvironment({ workingDir: home });
    await environment.initialize();
    for (const [path, content] of files) await environment.writeFile(path, content);
    await environment.execute(command);
    const text = Buffer.from(await environment.readFile(output)).toString();
    return { text, close: () => environment.close() };
  },
};
