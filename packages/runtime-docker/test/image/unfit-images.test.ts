import { describe, expect, test } from "vitest";
import { containerPlace, told } from "../container/container-place.js";
import { engines } from "../engine-setup/engines.js";

describe.each(await engines(["docker", "podman"], "no-bash"))(
  "an image without bash, on $name",
  (subject) => {
    test("DOCK-05: its sh is used, and is not mistaken for bash", async () => {
      await using place = await containerPlace(subject);
      const container = await place.make("w");
      expect(container).toMatchObject({ shell: "/bin/sh", isBash: false });
      expect(await told(container, "echo hi")).toBe("hi");
    });
  },
);

describe.each(await engines(["docker", "podman"], "no-shell"))(
  "an image without any shell, on $name",
  (subject) => {
    test("DOCK-05: creating a workspace reports that the image has none, and leaves nothing behind", async () => {
      await using place = await containerPlace(subject);
      await expect(place.make("w")).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringMatching(/no shell.*\/bin\/sh.*Choose an image/),
      });
      expect(await place.leftovers()).toEqual([]);
    });
  },
);

describe.each(await engines(["docker", "podman"], "no-tools"))(
  "an image without some of the usual commands, on $name",
  (subject) => {
    test("creating a workspace names what the image lacks, and leaves nothing behind", async () => {
      await using place = await containerPlace(subject);
      await expect(place.make("w")).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringMatching(/The image \S+ lacks find, stat, tar, which/),
      });
      expect(await place.leftovers()).toEqual([]);
    });
  },
);

describe.each(await engines(["docker", "podman"], "opinionated"))(
  "an image with its own settings, on $name",
  (subject) => {
    test("its entry point, user, directory, health check and volumes are not in force", async () => {
      await using place = await containerPlace(subject);
      const container = await place.make("w");
      const { Config: config, Mounts: mounts, State: state } = await container.container.inspect();
      expect(state.Running).toBe(true);
      expect(config.User).toMatch(/^(0:0|0)?$/);
      expect(config.WorkingDir).toBe("/");
      const { Config: image } = await place.engine.docker.getImage(subject.image).inspect();
      expect(Object.keys(image.Volumes ?? {})).not.toEqual([]);
      const volumes = mounts.filter(({ Type }) => Type === "volume");
      expect(volumes.map(({ Destination }) => Destination).sort()).toEqual(["/.skillwright", "/skillwright"]);
      for (const path of Object.keys(image.Volumes ?? {}))
        expect(
          await told(
            container,
            `if echo x > ${path}/x; then echo written; else echo refused; fi 2>/dev/null`,
          ),
        ).toBe("refused");
      expect((config as { Healthcheck?: { Test?: string[] } }).Healthcheck?.Test ?? ["NONE"]).toEqual([
        "NONE",
      ]);
    });

    test("none of its variables reaches a process, but the PATH it wants is known", async () => {
      await using place = await containerPlace(subject);
      const container = await place.make("w");
      const { Config: image } = await place.engine.docker.getImage(subject.image).inspect();
      const set = image.Env.filter((text) => !text.startsWith("PATH="));
      expect(set).toContain("BASH_ENV=/ws/evil.sh");
      expect(image.Env).toContain(`PATH=${container.programPath}`);
      const seen = await told(container, "cat /proc/[0-9]*/environ | tr '\\0' '\\n'", "root");
      expect(seen).toContain("PATH=");
      expect(seen.split("\n").filter((line) => set.includes(line))).toEqual([]);
    });
  },
);
