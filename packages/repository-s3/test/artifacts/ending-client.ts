import type { S3Client } from "@aws-sdk/client-s3";

export interface EndingClient {
  readonly client: S3Client;
  /** The operations that were sent, by their S3 names. */
  readonly steps: readonly string[];
}

/** The point at which a saver is killed. */
export interface EndPoint {
  readonly step: number;
  /** The request is never sent, or its answer never arrives. */
  readonly when: "before" | "after";
}

/**
 * Makes a client fail at one of its requests as if its process had been killed: that request and all later ones fail,
 * connections are cut.
 */
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
      // An error response counts as an answer too.
      return await next(sent).finally(() => check(end?.step === step));
    },
    { step: "build", name: "endingClient" },
  );
  return { client, steps };
}
