import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

/** A part of a line in one colour. */
export interface ColouredPart {
  readonly text: string;
  /** Class of the stylesheet; empty for plain text. */
  readonly look: string;
}

const scripts = { bash, javascript, json, python, ruby, sql, typescript };
const languages = createLowlight({ ...scripts, c, cpp, css, diff, go, ini, java, rust, xml, yaml });

/** The lines of a program with their colours; `undefined` for a language that is not known. */
export function colouredLines(
  text: string,
  language: string,
): readonly (readonly ColouredPart[])[] | undefined {
  if (!languages.registered(language)) return undefined;
  const lines: ColouredPart[][] = [[]];
  const add = (node: TreeNode, look: string): void => {
    if (node.type === "text")
      for (const [index, part] of (node.value ?? "").split("\n").entries()) {
        if (index > 0) lines.push([]);
        if (part !== "") lines.at(-1)?.push({ text: part, look });
      }
    const [own] = node.properties?.className ?? [];
    for (const child of node.children ?? []) add(child, own ?? look);
  };
  add(languages.highlight(language, text) as TreeNode, "");
  return lines;
}

interface TreeNode {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: readonly string[] };
  readonly children?: readonly TreeNode[];
}
