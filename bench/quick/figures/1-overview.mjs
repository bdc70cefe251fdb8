import { built } from "../../built.mjs";
import { besideFloor } from "../rounds.mjs";

const [{ fsRepository }, { skillBox }, { injector }] = await Promise.all(
  ["repository-fs", "skillbox", "injector"].map(built),
);

/** Overviews by a new injector, beside joining all names and descriptions. */
export async function measure({ few, many }) {
  const [thousand, all] = await Promise.all([few, many].map(snapshotOf));
  const whole = { maxSkills: all.skills.length, maxCharacters: 100_000_000 };
  return {
    "overview of 1,000 by default": await beside(thousand, {}),
    "overview of all 10,000": await beside(all, whole),
  };
}

async function snapshotOf(root) {
  const box = skillBox({ own: fsRepository({ root }) });
  const snapshot = await box.snapshot();
  await box.close();
  return snapshot;
}

function beside(snapshot, options) {
  return besideFloor(
    15,
    () => void injector(options).overview({ snapshot }),
    () => void snapshot.skills.map(({ name, description }) => `${name}\n${description}`).join("\n"),
  );
}
