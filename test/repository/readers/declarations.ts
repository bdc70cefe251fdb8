/** What a name of a module stands for: a name of another module (`from`), or one declared in the module itself. */
interface Binding {
  readonly name: string;
  readonly from?: string;
  /** True if the name cannot be used as a value. */
  readonly isType: boolean;
}

/** The names of a declaration file that `tsc` wrote. */
export interface DeclarationModule {
  readonly exports: ReadonlyMap<string, Binding>;
  readonly imports: ReadonlyMap<string, Binding>;
  /** All overloads, each with the first sentence of its docstring and without those of its members. */
  readonly declarations: ReadonlyMap<string, readonly string[]>;
}

/** Reads the text of a `.d.ts` file. Throws on `export *` and default exports, which the repository does not use. */
export function readDeclarations(text: string): DeclarationModule {
  const exports = new Map<string, Binding>();
  const imports = new Map<string, Binding>();
  const declarations = new Map<string, string[]>();
  let docstring = "";
  for (const statement of statements(text)) {
    if (statement.startsWith("/**")) {
      docstring = firstSentence(statement);
      continue;
    }
    const [, keyword, isType, names, from] = NAMES.exec(statement) ?? [];
    const [, exported, declared] = DECLARATION.exec(statement) ?? [];
    if (names !== undefined) {
      const target = keyword === "import" ? imports : exports;
      for (const [name, binding] of bindings(names, from, isType !== undefined)) target.set(name, binding);
    } else if (declared) {
      const shown = docstring + statement.replace(MEMBER_DOCSTRING, "");
      declarations.set(declared, [...(declarations.get(declared) ?? []), shown]);
      if (exported) exports.set(declared, { name: declared, isType: false });
    } else if (!statement.startsWith("import ")) {
      throw new Error(`A form of export that reports of exports cannot show: ${statement}`);
    }
    docstring = "";
  }
  return { exports, imports, declarations };
}

const NAMES = /^(import|export) (type )?\{([^}]*)\}(?: from "([^"]+)")?/;
const DECLARATION =
  /^(export )?(?:declare )?(?:abstract )?(?:function|const|let|class|interface|type|enum|namespace) ([\w$]+)/;
const MEMBER_DOCSTRING = /^ *\/\*\*[\s\S]*?\*\/\n/gm;

/** A statement or docstring begins in the first column, with a keyword or `/**`. */
function statements(text: string): string[] {
  const found: string[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("//") || line === "") continue;
    if (/^(?:\/\*\*|[a-z])/.test(line)) found.push(line);
    else if (/^\/\*\*[\s\S]*\*\/$/.test(found.at(-1) ?? ""))
      found.splice(-2, 2, `${found.at(-2)}\n${line}`); // of a member of a union
    else found.push(`${found.pop()}\n${line}`);
  }
  return found;
}

function bindings(names: string, from: string | undefined, areTypes: boolean): [string, Binding][] {
  const parts = names.split(",").map((part) => part.trim());
  return parts.filter(Boolean).map((part) => {
    const [name = "", alias = name] = part.replace(/^type /, "").split(" as ");
    const isType = areTypes || part.startsWith("type ");
    return [alias, { name, isType, ...(from ? { from } : {}) }];
  });
}

function firstSentence(docstring: string): string {
  const lines = docstring.replace(/^\/\*\*|\*\/$/g, "").split("\n");
  const [paragraph = ""] = lines
    .map((line) => line.replace(/^ *\* ?/, "").trim())
    .join("\n")
    .trim()
    .split(/\n\n|\n@/);
  const [sentence] = /^[\s\S]*?[.!?](?=\s+[A-Z]|$)/.exec(paragraph) ?? [paragraph];
  return `/** ${sentence.replaceAll("\n", " ")} */\n`;
}
