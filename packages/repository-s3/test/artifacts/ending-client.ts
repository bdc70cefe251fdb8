import type { S3Client } from "@aws-sdk/client-s3";

export interface EndingClient {
  readonly client: S3Client;
  /** The operations that were sent, as S3 names them. */
  readonly steps: readonly string[];
}

/** Where a saver comes to its end. */
export interface EndPoint {
  readonly step: number;
  /** The request never leaves, or its answer never comes. */
  readonly when: "before" | "after";
}

/** Makes a client end like its process at one of its requests: that one and all later ones fail, connections are cut. */
export function endingClient(client: S3Client, end?: EndPoint): EndingClient {
  const steps: string[] = [];
  let hasEnded = false;
  const check = (isNow: boolean): void => {
    hasEnded ||= isNow;
    if (!hasEnded) return;
    client.destroy();
    throw new Error("This saver has ended.");
  };
  client.middlewareStack.add(
    (next, context) => async (sent) => {
      const step = steps.push(String(context["commandName"]).replace(/Command$/, "")) - 1;
      check(end?.step === step && end.when === "before");
      // An answer that is an error is an answer too.
      return await next(sent).finally(() => check(end?.step === step));
    },
    { step: "build", name: "endingClient" },
  );
  return { client, steps };
}
