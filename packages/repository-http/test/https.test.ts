import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { skillMarkdown } from "@skillwright/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasAll } from "../../../test/needs/has-all.js";
import { httpRepository } from "../src/index.js";
import { failure } from "./failure.js";
import { type WebServer, webServer } from "./web-server.js";

const CSV = skillMarkdown("csv");

if (hasAll("openssl"))
  describe("https", () => {
    let secure: WebServer;
    let certificate: string;
    beforeEach(async () => {
      const folder = await mkdtemp(join(tmpdir(), "skillwright-test-"));
      const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
      const words = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.1`;
      execFileSync("openssl", [...words.split(" "), "-keyout", key, "-out", cert], { stdio: "ignore" });
      certificate = await readFile(cert, "utf8");
      secure = await webServer({ "/csv.md": CSV }, { key: await readFile(key, "utf8"), cert: certificate });
      await rm(folder, { recursive: true });
    });
    afterEach(async () => await secure.close());

    test("an untrusted certificate is refused, and accepted where it is configured as trusted", async () => {
      const options = { url: `${secure.origin}/csv.md`, allowPrivate: true };
      expect((await failure(httpRepository(options).list())).code).toBe("BACKEND_FAILED");
      expect(secure.requests).toEqual([]);
      const repository = httpRepository({ ...options, certificateAuthorities: certificate });
      expect((await repository.list()).skills).toHaveLength(1);
    });

    test("a certificate for another host is refused", async () => {
      const url = `https://skills.example:${secure.port}/csv.md`;
      const resolve = async (): Promise<readonly string[]> => ["127.0.0.1"];
      const options = { url, resolve, allowPrivate: true, certificateAuthorities: certificate };
      expect((await failure(httpRepository(options).list())).code).toBe("BACKEND_FAILED");
      expect(secure.requests).toEqual([]);
    });

    test("a redirect to http is not followed without allowHttp", async () => {
      const server = await webServer({ "/csv.md": CSV });
      try {
        secure.pages["/csv.md"] = { status: 302, headers: { location: `${server.origin}/csv.md` } };
        const options = {
          url: `${secure.origin}/csv.md`,
          allowPrivate: true,
          allowOrigins: [server.origin],
          certificateAuthorities: [certificate],
        };
        expect((await failure(httpRepository(options).list())).code).toBe("REFUSED");
        expect(server.requests).toEqual([]);
        expect((await httpRepository({ ...options, allowHttp: true }).list()).skills).toHaveLength(1);
      } finally {
        await server.close();
      }
    });
  });
