import { indexName } from "@skillwright/core/adapter";
import { expect, test } from "vitest";

test.each(["s3://b/p", "s3://b/p/", "s3://b//p", " S3://b/p ", "oss://b/p"])(
  "%j names the index of s3://b/p",
  (source) => expect(indexName(source)).toBe("s3://b/p"),
);

test("other locations keep their own names", () => {
  const names = ["s3://b", "s3://b/p/q", "git+https://host/x.git#main:a", "https://host/a//b", "skills"];
  expect(names.map(indexName)).toEqual(names);
});
