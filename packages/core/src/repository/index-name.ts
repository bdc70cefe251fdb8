/**
 * The canonical name of a source, under which its index is kept: the same for every spelling of the same place. Of a place
 * in a bucket it is `s3://bucket/prefix`, without empty parts and slashes at the end; `oss://` counts as `s3://`. Any
 * other text stays as it is, without blanks at its ends.
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
