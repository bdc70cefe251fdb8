import { parseSync } from "vite";

/**
 * Returns the texts that are written in a component, each with its line: letters in children of JSX elements, and in attributes that a
 * person sees or hears. Every value that an expression may have counts. Arguments of function calls do not.
 */
export function literalTexts(path: string, source: string): readonly string[] {
  const found: string[] = [];
  const { program, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  visit(program as unknown as Node, (node) => {
    for (const { text, start } of shownBy(node)) {
      if (!/\p{L}/u.test(text)) continue;
      const before = source.slice(0, start + text.search(/\S/));
      found.push(`${path}:${before.split("\n").length} ${text.trim()}`);
    }
  });
  return found;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

interface Shown {
  readonly text: string;
  readonly start: number;
}

/** The attributes that a person sees or hears, and the properties of our own components that become such attributes. */
const ATTRIBUTES = ["aria-label", "title", "placeholder", "alt", "label", "hint", "detail"];

function visit(value: unknown, each: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, each);
  if (!isNode(value)) return;
  each(value);
  for (const field of Object.values(value)) visit(field, each);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function shownBy(node: Node): readonly Shown[] {
  if (node.type === "JSXElement" || node.type === "JSXFragment")
    return (node["children"] as readonly Node[]).flatMap(valuesOf);
  if (node.type !== "JSXAttribute") return [];
  const { name } = node["name"] as { readonly name: unknown };
  return ATTRIBUTES.includes(String(name)) ? valuesOf(node["value"] as Node | null) : [];
}

/** The literal texts in the values that the expression may have. */
function valuesOf(node: Node | null): readonly Shown[] {
  const of = (...fields: readonly string[]) =>
    fields.flatMap((field) => valuesOf(node?.[field] as Node | null));
  switch (node?.type) {
    case "JSXText":
    case "Literal":
      return typeof node["value"] === "string" ? [{ text: node["value"], start: node.start }] : [];
    case "TemplateLiteral": {
      const quasis = node["quasis"] as readonly (Node & { value: { raw: string } })[];
      const written = quasis.map(({ value, start }) => ({ text: value.raw.replace(/\\./g, ""), start }));
      return [...written, ...(node["expressions"] as readonly Node[]).flatMap(valuesOf)];
    }
    case "ConditionalExpression":
      return of("consequent", "alternate");
    case "LogicalExpression":
    case "BinaryExpression":
      return COMPARISONS.test(String(node["operator"])) ? [] : of("left", "right");
    case "JSXExpressionContainer":
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSNonNullExpression":
      return of("expression");
    default:
      return [];
  }
}

const COMPARISONS = /^(?:[=!<>]=*|in|instanceof)$/;
