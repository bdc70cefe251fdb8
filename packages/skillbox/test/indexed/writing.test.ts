import type { WatchableSkillRepository } from "@skillwright/core";
import { memoryRepository } from "@skillwright/repository-memory";
import { indexed } from "@skillwright/skillbox";
import { describe, expect, test } from "vitest";
import { skillFile } from "../skill-file.js";
import { counted, countedOver, namesOf, uploadOf } from "./counted.js";

describe("upload and delete", () => {
  test("update the index before they end, without a listing of the repository", async () => {
    const { memory, repository, plain, index, asks } = counted("alpha");
    const [skills, other] = [
      indexed(repository, index),
      indexed(memory, plain, { checkEveryMs: Number.POSITIVE_INFINITY }),
    ];
    await skills.list();
    asks();
    await skills.upload(uploadOf("beta"));
    expect(asks()).toEqual(["read", "load beta", "write"]);
    expect(namesOf(await other.list())).toEqual(["alpha", "beta"]);
    expect(await skills.delete("alpha")).toBe(true);
    expect(asks()).toEqual(["read", "load alpha", "write"]);
    expect(namesOf(await other.list())).toEqual(["beta"]);
  });

  test("deleting nothing does not change the index", async () => {
    const { repository, index, asks } = counted("alpha");
    expect(await indexed(repository, index).delete("nobody")).toBe(false);
    expect(asks()).toEqual([]);
  });

  test("a conflict is retried after a fresh read, and the later upload is kept", async () => {
    const { memory, repository, plain, index, hooks, asks } = counted("alpha");
    const [skills, other] = [indexed(repository, index), indexed(memory, plain)];
    await skills.list();
    asks();
    hooks.beforeWrite = async () => void (await other.upload(uploadOf("beta", "the later one")));
    await skills.upload(uploadOf("beta", "the earlier one"));
    expect(asks()).toEqual(["read", "load beta", "write", "read", "load beta", "write"]);
    const [, beta] = (await other.list()).skills;
    expect(beta?.changeMark).toBe((await memory.load("beta")).changeMark);
  });

  test("many concurrent writers leave an index that matches the repository", async () => {
    const { memory, plain } = counted("alpha");
    const writers = Array.from({ length: 12 }, () => indexed(memory, plain));
    await Promise.all(
      writers.map(async (skills, number) => {
        await skills.upload(uploadOf(`skill-${number}`));
        await skills.upload(uploadOf("alpha", `by ${number}`));
        if (number % 3 === 0) await skills.delete(`skill-${number}`);
      }),
    );
    const { revision, formatVersion, ...said } = (await plain.read()) ?? expect.fail("There is no index.");
    const listed = await memory.list();
    expect(said.skills.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(listed.skills);
    expect(listed.skills).toHaveLength(9);
  });

  test("a skill whose folder contains the changed one is updated as well", async () => {
    const { index } = counted();
    const memory = memoryRepository({ skills: { outer: skillFile("outer"), "outer/in": skillFile("in") } });
    const skills = indexed(memory, index);
    await skills.list();
    await skills.upload(uploadOf("in", "changed"));
    expect(await skills.list()).toEqual(await memory.list());
    await skills.delete("in");
    expect(await skills.list()).toEqual(await memory.list());
  });

  test("a folder with many skills in it is checked with one listing", async () => {
    const inner = Array.from({ length: 12 }, (_, number) => [`outer/${number}`, skillFile(`in-${number}`)]);
    const memory = memoryRepository({ skills: { outer: skillFile("outer"), ...Object.fromEntries(inner) } });
    const { repository, index, asks } = countedOver(memory);
    const skills = indexed(repository, index);
    await skills.list();
    asks();
    await skills.delete("outer");
    expect(asks()).toEqual(["read", "read", "list", "write"]);
    expect(await skills.list()).toEqual(await memory.list());
  });

  test("a skill at a path that is another one's name is found with a listing", async () => {
    const { index } = counted();
    const memory = memoryRepository({ skills: { one: skillFile("two"), two: skillFile("one") } });
    const skills = indexed(memory, index);
    await skills.list();
    await skills.upload(uploadOf("one", "changed"));
    expect(await skills.list()).toEqual(await memory.list());
    await skills.delete("two");
    expect(await skills.list()).toEqual(await memory.list());
  });
});

describe("watch", () => {
  test("follows what any process writes to the index, until it is closed", async () => {
    const { memory, repository, plain, index } = counted("alpha");
    const [skills, other] = [indexed(repository, index), indexed(memory, plain)];
    await other.list();
    let told = 0;
    const watching = await skills.watch(() => void told++);
    await other.upload(uploadOf("beta"));
    expect(told).toBe(1);
    await watching.close();
    await other.delete("beta");
    expect(told).toBe(1);
  });

  test("ends with close, which leaves the repository and the index open", async () => {
    const { repository, plain, index } = counted("alpha");
    let told = 0;
    let closed = 0;
    const close = async (): Promise<void> => void closed++;
    const skills = indexed({ ...repository, close }, { ...index, close });
    await skills.watch(() => void told++);
    await skills.close();
    await skills.close();
    await plain.write({ from: undefined, put: [], remove: [] });
    expect([told, closed]).toEqual([0, 0]);
  });

  test("a change reported only by the repository is listed and added to the index", async () => {
    const { memory, repository, plain, index } = counted("alpha");
    const listeners: (() => void)[] = [];
    const watch: WatchableSkillRepository["watch"] = async (listener) => {
      listeners.push(listener);
      const close = async (): Promise<void> => void listeners.splice(0);
      return { close, [Symbol.asyncDispose]: close };
    };
    const skills = indexed({ ...repository, watch }, index);
    await skills.list();
    let told = 0;
    const watching = await skills.watch(() => void told++);
    await memory.upload(uploadOf("beta"));
    for (const tell of listeners) tell();
    expect(told).toBe(1);
    expect(namesOf(await skills.list())).toEqual(["alpha", "beta"]);
    expect(namesOf((await plain.read()) ?? { skills: [] })).toEqual(["alpha", "beta"]);
    await watching.close();
    expect(listeners).toEqual([]);
  });
});
