import { recordTrust } from "@skillwright/records";
import { memoryRecords } from "@skillwright/repository-memory";
import { skillBox } from "@skillwright/skillbox";
import { expect, onTestFinished, test } from "vitest";
import { greeter } from "./example-host.js";
import { overStreams } from "./server-subjects.js";

test("a skill of a server needs an approval of its digest, and another one once a file has changed (MCP-20)", async () => {
  const { repository, change, dispose } = await overStreams({ greeter });
  onTestFinished(dispose);
  const server = { repository, trusted: false, hidesOthers: false };
  const skills = skillBox({ server }, { trust: recordTrust(memoryRecords()) });
  onTestFinished(() => skills.close());
  const { digest, trusted } = await skills.load("greeter");
  expect(trusted).toBe(false);
  await skills.trust("greeter", { digest });
  expect((await skills.load("greeter")).trusted).toBe(true);
  await change({ greeter: { ...greeter, "scripts/greet.sh": "echo something else\n" } });
  await skills.refresh();
  expect(await skills.load("greeter")).toMatchObject({ trusted: false });
  await change({ greeter });
  await skills.refresh();
  expect(await skills.load("greeter")).toMatchObject({ trusted: true, digest });
});
