import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { root } from "../../scripts/bootstrap/root.mjs";
import { importedSubpaths, installedPackages, installPeers } from "../../scripts/packing/empty-project.mjs";
import { runCommand } from "../../scripts/run-command.mjs";
import { resolutions, typeCheck } from "./type-check.mjs";
import { workspaceRanges } from "./workspace-ranges.mjs";

const MAX_PACKED_BYTES = 300_000;
/** For the built web page, which contains React and a PDF reader. */
const MAX_PAGE_BYTES = 1_000_000;

/** All checks of one package that is installed in a project with only its dependencies. */
export async function checkPackedPackage({ one, project, packed, nodes, expected, update, check }) {
  const { name } = one;
  const installed = JSON.parse(readFileSync(`${project}/node_modules/${name}/package.json`, "utf8"));
  const specifiers = importedSubpaths(installed).map((subpath) => name + subpath.slice(1));

  await check(`${name}: brings exactly what is expected`, () => {
    const brings = {
      direct: Object.keys({ ...installed.dependencies, ...installed.optionalDependencies }).sort(),
      installs: installedPackages(project).filter((other) => other !== name),
    };
    if (update) expected.packages[name] = brings;
    assertSame(brings, expected.packages[name] ?? { direct: [], installs: [] });
  });

  await check(`${name}: its published manifest holds no range that only this repository understands`, () => {
    assert.deepEqual(workspaceRanges(installed), []);
  });

  const most = name === "@skillwright/web" ? MAX_PAGE_BYTES : MAX_PACKED_BYTES;
  await check(`${name}: its tarball has at most ${most} bytes, and each source once`, () => {
    assert.ok(one.bytes <= most, `it has ${one.bytes} bytes`);
    const maps = readdirSync(`${project}/node_modules/${name}/dist`).filter((file) =>
      file.endsWith(".js.map"),
    );
    for (const file of maps) {
      const map = JSON.parse(readFileSync(`${project}/node_modules/${name}/dist/${file}`, "utf8"));
      assert.equal(map.sourcesContent, undefined, file);
      for (const source of map.sources) statSync(resolve(`${project}/node_modules/${name}/dist`, source));
    }
  });

  const executables = installed.publishConfig?.executableFiles ?? [];
  if (executables.length > 0) {
    await check(`${name}: its programs can be executed`, () => {
      for (const file of executables)
        assert.equal(statSync(`${project}/node_modules/${name}/${file}`).mode & 0o111, 0o111, file);
    });
  }

  const peers = Object.entries(installed.peerDependencies ?? {});
  if (peers.length > 0) {
    await check(`${name}: its main entry does without its peers`, () =>
      runCommand(process.execPath, ["--input-type=module", "--eval", `await import("${name}")`], {
        cwd: project,
      }),
    );
    await check(`${name}: its peers (${peers.map(([peer]) => peer).join(", ")}) install beside it`, () =>
      installPeers(project, peers, packed, expected.asOf),
    );
  }

  writeFileSync(`${project}/import.mjs`, importing(specifiers));
  writeFileSync(`${project}/require.cjs`, requiring(specifiers));
  for (const { version, binary } of nodes) {
    for (const file of ["import.mjs", "require.cjs"]) {
      await check(`${name}: ${file} on Node ${version} gives the committed exports`, async () => {
        const { stdout } = await runCommand(binary, [file], { cwd: project });
        assert.deepEqual(
          JSON.parse(stdout),
          Object.fromEntries(specifiers.map((each) => [each, committedValues(each)])),
        );
      });
    }
    for (const command of Object.keys(installed.bin ?? {})) {
      await check(`${name}: the command ${command} starts on Node ${version}`, async () => {
        const { stdout } = await runCommand(binary, [`node_modules/.bin/${command}`, "--help"], {
          cwd: project,
        });
        assert.match(stdout, new RegExp(command));
      });
    }
  }

  writeFileSync(`${project}/typed.ts`, typed(specifiers));
  for (const resolution of /** @type {(keyof typeof resolutions)[]} */ (Object.keys(resolutions))) {
    await check(`${name}: is typed under ${resolution}`, () =>
      typeCheck({ project, file: "typed.ts", resolution }),
    );
  }
  if (!needsNodeTypes.includes(name))
    await check(`${name}: is typed without the types of Node`, () =>
      typeCheck({ project, file: "typed.ts", resolution: "nodenext", hasNodeTypes: false }),
    );
}

/** The types of these packages use `fetch`, or those of the AWS SDK, of ioredis or of the SDK of MCP, which need the types of Node. */
const needsNodeTypes = [
  "agent",
  "config",
  "mcp",
  "metadata-redis",
  "repository-mcp",
  "repository-s3",
  "server",
].map((name) => `@skillwright/${name}`);

/** Lists surplus and missing entries, which are hard to see in a diff of two long lists. */
function assertSame(brings, expected) {
  const complaints = /** @type {const} */ (["direct", "installs"]).flatMap((list) => [
    ...brings[list]
      .filter((name) => !expected[list].includes(name))
      .map((name) => `${list}: ${name} is not expected`),
    ...expected[list]
      .filter((name) => !brings[list].includes(name))
      .map((name) => `${list}: ${name} is missing`),
  ]);
  const remedy = "Where this is meant: node test/release/packed-install.mjs --update";
  assert.equal(complaints.length, 0, [...complaints, remedy].join("\n"));
}

/** The names of the values in the committed report of the same entry, so that source and package have the same exports. */
function committedValues(specifier) {
  const [, name] = specifier.split("/");
  const report = readFileSync(`${root}/docs/api/${name}.md`, "utf8");
  const [, entry] = report.split(`## \`${specifier}\`\n`);
  if (!entry) throw new Error(`docs/api/${name}.md shows no entry ${specifier}: run pnpm api`);
  const [exported] = entry.split("\n## ");
  const values = [...exported.matchAll(EXPORTED_VALUE)].map(([, declared, listed]) => declared ?? listed);
  return [...new Set(values)].sort();
}

/** `export declare function name`, or `export { other as name }`. */
const EXPORTED_VALUE = /^export (?:declare (?:function|const|class) (\w+)|\{ (?:\w+ as )?(\w+) \})/gm;

function importing(specifiers) {
  return `const names = {};
for (const specifier of ${JSON.stringify(specifiers)}) names[specifier] = Object.keys(await import(specifier)).sort();
console.log(JSON.stringify(names));
`;
}

function requiring(specifiers) {
  return `const names = {};
for (const specifier of ${JSON.stringify(specifiers)}) names[specifier] = Object.keys(require(specifier)).sort();
console.log(JSON.stringify(names));
`;
}

export function typed(specifiers) {
  const imports = specifiers.map((specifier, index) => `import * as entry${index} from "${specifier}";`);
  const uses = specifiers.map((_, index) => `entry${index}`);
  return `${imports.join("\n")}\nexport const everything: object[] = [${uses.join(", ")}];\n`;
}
