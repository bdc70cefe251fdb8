import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openArchive } from "@skillwright/archive";
import { skillMarkdown } from "@skillwright/contracts";
import { readText, type SkillRepository } from "@skillwright/core";
import { expect, onTestFinished, test } from "vitest";
import { memoryRepository } from "../../../repository-memory/src/index.js";
import { fileLabels, httpRepository } from "../../src/index.js";
import { failure } from "../failure.js";
import { INDEX } from "../published.js";
import { csv, served, stored, versioned } from "./test-registry.js";

test("a team publishes versions, and another client reads each of them and its files (STORE-19)", async () => {
  const server = await versioned();
  const author = server.client();
  await author.upload(csv("first"));
  await author.upload([...csv("second"), { path: "run.sh", content: "#!/bin/sh\n", executable: true }]);
  const reader = server.client();
  const versions = await reader.versions("csv");
  expect(versions.map(({ version }) => version)).toEqual(["2", "1"]);
  expect(await reader.load("csv")).toMatchObject({
    body: "second",
    version: "2",
    digest: versions[0]?.digest,
  });
  expect((await reader.load("csv", { version: "1" })).body).toBe("first");
  expect(await readText(await reader.open("csv", "run.sh"), 100)).toBe("#!/bin/sh\n");
  expect(await failure(reader.open("csv", "run.sh", { version: "1" }))).toMatchObject({
    code: "FILE_NOT_FOUND",
  });
});

test("the well-known index has versions and labels, and is read as any index with digests (STORE-19)", async () => {
  const server = await versioned({ path: "/team" });
  const author = server.client({ url: `${server.origin}/team/` });
  await author.upload(csv("first"));
  await author.upload(csv("second"));
  await author.setLabel("csv", "stable", "1");
  const response = await fetch(`${server.origin}/team${INDEX}`);
  expect(await response.json()).toMatchObject({
    skills: [
      {
        name: "csv",
        type: "archive",
        version: "2",
        versions: [{ version: "2" }, { version: "1" }],
        labels: { stable: "1" },
      },
    ],
  });
  const etag = response.headers.get("etag") ?? "";
  const again = await fetch(`${server.origin}/team${INDEX}`, { headers: { "if-none-match": etag } });
  expect(again.status).toBe(304);
  const plain = httpRepository({
    url: `${server.origin}/team/`,
    openArchive,
    allowHttp: true,
    allowPrivate: true,
  });
  expect((await plain.load("csv")).body).toBe("second");
  await author.upload(csv("third"));
  await plain.refresh();
  expect((await plain.load("csv")).body).toBe("third");
});

test("the well-known index leaves out a skill that cannot be packed, and the application is told (STORE-19)", async () => {
  const repository = memoryRepository();
  await repository.upload(csv("good"));
  const twice = ["a.md", "A.md"].map((path) => ({ path, content: "x" }));
  await repository.upload([{ path: "SKILL.md", content: skillMarkdown("odd") }, ...twice]);
  const told: unknown[] = [];
  const { origin } = await served({ repository, onError: (error) => told.push(error) });
  const response = await fetch(`${origin}${INDEX}`);
  expect(await response.json()).toMatchObject({ skills: [{ name: "csv" }] });
  expect(told).toMatchObject([{ message: expect.stringContaining("A.md") }]);
});

test("a label is moved from version to version and names the content to load (STORE-20)", async () => {
  const server = await versioned();
  const client = server.client();
  const { digest } = await client.upload(csv("first"));
  await client.upload(csv("second"));
  await client.setLabel("csv", "stable", digest);
  expect(await client.labels("csv")).toEqual({ stable: "1" });
  expect((await client.load("csv", { version: "stable" })).body).toBe("first");
  await client.setLabel("csv", "stable", "2");
  expect((await server.client().load("csv", { version: "stable" })).body).toBe("second");
  await client.removeLabel("csv", "stable");
  expect(await client.labels("csv")).toEqual({});
  expect((await failure(client.load("csv", { version: "stable" }))).code).toBe("SKILL_NOT_FOUND");
  expect(await client.labels("constructor")).toEqual({});
  expect((await failure(client.load("constructor", { version: "name" }))).code).toBe("SKILL_NOT_FOUND");
  const refused = async (label: string, version: string) =>
    (await failure(client.setLabel("csv", label, version))).code;
  expect(await refused("stable", "9")).toBe("SKILL_NOT_FOUND");
  for (const label of ["", "1", "Stable", "a/b", "x".repeat(65), "__proto__"])
    expect(await refused(label, "1")).toBe("INPUT_INVALID");
});

test("labels in a file are there for the next process, and a file of another form is an error", async () => {
  const folder = await mkdtemp(join(tmpdir(), "skillwright-labels-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "labels.json");
  const labels = fileLabels(path);
  expect(await labels.read()).toEqual({});
  await Promise.all([
    labels.move("a", "one", "1"),
    labels.move("b", "two", "2"),
    labels.move("a", "three", "3"),
  ]);
  await labels.move("b", "two", undefined);
  expect(await fileLabels(path).read()).toEqual({ a: { one: "1", three: "3" }, b: {} });
  await writeFile(path, '{"formatVersion":1,"labels":{"a":{"one":1}}}');
  expect((await failure(labels.read())).code).toBe("CONFIG_INVALID");
});

test("a watch tells of a publication, a deletion and a moved label by another client, until it is closed (STORE-21)", async () => {
  const server = await versioned();
  const author = server.client();
  let told = notice();
  let count = 0;
  const watch = await server.client().watch(() => {
    count++;
    told.tell();
  });
  for (const change of [
    () => author.upload(csv("first")),
    () => author.setLabel("csv", "stable", "1"),
    () => author.delete("csv"),
  ]) {
    told = notice();
    await change();
    await told.comes;
  }
  await watch.close();
  const before = count;
  await author.upload(csv("second"));
  await author.list();
  expect(count).toBe(before);
});

test("a watch goes on after the registry failed", async () => {
  let isDown = false;
  const failed = notice();
  const server = await versioned({
    authorize: ({ request }) => {
      if (!isDown || !request.url.includes("changes")) return true;
      failed.tell();
      throw new Error("down");
    },
  });
  const author = server.client();
  let told = notice();
  await using _watch = await server.client().watch(() => told.tell());
  isDown = true;
  // Whether a question waits now or comes only then, the next one after this change fails.
  await author.upload(csv("first"));
  await failed.comes;
  isDown = false;
  await told.comes;
  told = notice();
  await author.upload(csv("second"));
  await told.comes;
});

test("files that are not those that the registry names are refused by the client (STORE-23)", async () => {
  const { repository } = await stored();
  await repository.upload(csv("first"));
  const lying: SkillRepository = {
    ...repository,
    load: async (...given) => ({ ...(await repository.load(...given)), digest: `sha256:${"0".repeat(64)}` }),
  };
  const server = await served({ repository: lying });
  expect((await failure(server.client().load("csv"))).code).toBe("DIGEST_MISMATCH");
});

test("a failure of the storage is told to the application, and not to the client", async () => {
  const errors: unknown[] = [];
  const reason = new Error("bucket secret-name is gone");
  const repository: SkillRepository = { ...memoryRepository(), list: () => Promise.reject(reason) };
  const server = await served({ repository, onError: (error) => errors.push(error) });
  const { code, message } = await failure(server.client().list());
  expect(code).toBe("BACKEND_FAILED");
  expect(message).not.toContain("secret-name");
  expect(errors).toEqual([reason]);
});

test("a repository without versions or uploads is served as far as it goes", async () => {
  const {
    upload,
    delete: _,
    ...readOnly
  } = memoryRepository({
    skills: { csv: { "SKILL.md": skillMarkdown("csv") } },
  });
  const server = await served({ repository: readOnly, authorize: () => true });
  const client = server.client();
  expect((await client.load("csv")).name).toBe("csv");
  expect(await client.versions("csv")).toEqual([]);
  for (const call of [() => client.upload(csv("x")), () => client.delete("csv"), () => client.labels("csv")])
    expect((await failure(call())).code).toBe("UNSUPPORTED");
});

test("an unchanged skill is asked for again and not transferred again", async () => {
  const server = await versioned();
  const client = server.client();
  await client.upload(csv("first"));
  const statuses: number[] = [];
  const reader = await client.load("csv");
  const etag = (await fetch(`${server.origin}/v1/archive?skill=csv`)).headers.get("etag") ?? "";
  statuses.push(
    (await fetch(`${server.origin}/v1/archive?skill=csv`, { headers: { "if-none-match": etag } })).status,
  );
  expect(statuses).toEqual([304]);
  expect(await client.load("csv")).toEqual(reader);
  await server.client().upload(csv("second"));
  expect((await client.load("csv")).body).toBe("second");
});

test("an address that is no registry is an error that says so", async () => {
  const server = await versioned();
  const client = server.client({ url: `${server.origin}/elsewhere` });
  expect(await failure(client.list())).toMatchObject({ code: "FILE_NOT_FOUND" });
});

function notice(): { readonly comes: Promise<void>; readonly tell: () => void } {
  let tell = (): void => undefined;
  const comes = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return { comes, tell };
}
