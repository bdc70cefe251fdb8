/**
 * The canonical name of a source, under which its index is stored: the same for every spelling of one location. For a
 * location in a bucket it is `s3://bucket/prefix`, without empty parts and trailing slashes; `oss://` counts as
 * `s3://`. Any other text is only trimmed.
 */
export function indexName(source: string): string {
  const text = source.trim();
  const [, path] = /^(?:s3|oss):\/\/(.*)$/is.exec(text) ?? [];
  if (path === undefined) return text;
  return `s3://${path
    .split("/")
    .filter((part) => part !== "")
    .join("/")}`;
}
