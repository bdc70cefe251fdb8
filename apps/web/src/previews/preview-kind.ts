/** How a file is shown. */
export type PreviewKind =
  | "table"
  | "markdown"
  | "json"
  | "text"
  | "picture"
  | "svg"
  | "html"
  | "pdf"
  | "none";

const BY_ENDING: Readonly<Record<string, PreviewKind>> = {
  ...{ csv: "table", tsv: "table", md: "markdown", markdown: "markdown", json: "json", pdf: "pdf" },
  ...{ png: "picture", jpg: "picture", jpeg: "picture", gif: "picture", webp: "picture", avif: "picture" },
  ...{ svg: "svg", html: "html", htm: "html", xhtml: "html" },
};
const TEXT_ENDINGS =
  /^(txt|log|ya?ml|toml|ini|xml|css|m?[jt]sx?|c[jt]s|py|rb|go|rs|java|kt|c|h|cpp|hpp|cs|sh|bash|sql|diff|patch|tex|r|jl|lua|pl|php|swift)$/;

/** @param mimeType As the server told it; the file's ending comes first. */
export function previewKind(name: string, mimeType: string): PreviewKind {
  const ending = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const known = BY_ENDING[ending];
  if (known) return known;
  if (TEXT_ENDINGS.test(ending) || mimeType.startsWith("text/")) return "text";
  return mimeType === "application/json" ? "json" : "none";
}
