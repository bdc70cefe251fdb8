import { type ListObjectsV2CommandInput, PutObjectCommand } from "@aws-sdk/client-s3";
import { skillMarkdown } from "@skillwright/contracts";
import { expect, onTestFinished, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { s3Repository } from "../src/index.js";
import { freshBucket } from "./stores/fresh-bucket.js";

if (hasAll("an S3 server"))
  test("on a real server a listed skill is found by listing its own folder", async () => {
    const fresh = await freshBucket();
    onTestFinished(() => fresh.remove());
    const client = fresh.connect();
    const { bucket } = fresh;
    for (const [folder, name] of [
      ["alpha", "alpha"],
      ["elsewhere", "beta"],
    ] as const)
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: `found/${folder}/SKILL.md`,
          Body: skillMarkdown(name),
        }),
      );
    const prefixes: (string | undefined)[] = [];
    client.middlewareStack.add(
      (next, context) => async (request) => {
        if (context.commandName === "ListObjectsV2Command")
          prefixes.push((request.input as ListObjectsV2CommandInput).Prefix);
        return await next(request);
      },
      { step: "initialize" },
    );
    await using repository = s3Repository({ client, bucket, prefix: "found" });
    const { skills } = await repository.list();
    expect(prefixes).toContain("found/");
    for (const listed of skills) {
      prefixes.length = 0;
      expect(await repository.find?.(listed.name)).toEqual(listed);
      expect(prefixes).toContain(`found/${listed.path}/`);
      expect(prefixes).not.toContain("found/");
    }
    expect(skills.map(({ path }) => path)).toEqual(["alpha", "elsewhere"]);
  });
