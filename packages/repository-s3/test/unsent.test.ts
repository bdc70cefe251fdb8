import { S3Client } from "@aws-sdk/client-s3";
import { expect, onTestFinished, test } from "vitest";
import { s3Repository } from "../src/index.js";

test("the error for a client without a region names the variable to set", async () => {
  const client = new S3Client({
    region: async () => {
      throw new Error("Region is missing");
    },
    credentials: { accessKeyId: "a", secretAccessKey: "geheim" },
  });
  onTestFinished(() => client.destroy());
  await expect(s3Repository({ client, bucket: "team" }).list()).rejects.toThrow(
    /^(?!.*geheim).*Set AWS_REGION/s,
  );
});

test("the error for a client without credentials names the variables to set", async () => {
  const error = Object.assign(new Error("geheim"), { name: "CredentialsProviderError" });
  const credentials = async () => {
    throw error;
  };
  const client = new S3Client({ region: "us-east-1", credentials });
  onTestFinished(() => client.destroy());
  await expect(s3Repository({ client, bucket: "team" }).list()).rejects.toThrow(
    /^(?!.*geheim).*Set AWS_ACCESS_KEY_ID/s,
  );
});
