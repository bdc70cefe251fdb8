import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";

/**
 * Creates a certificate authority and its certificates: `server/` for the engine at an address, `client/` for its users, each
 * with `ca.pem`, `cert.pem` and `key.pem`, as for `DOCKER_CERT_PATH`. They are valid for one day.
 *
 * @param {string} folder created by this function
 * @param {string} address an IP address
 */
export function makeCertificates(folder, address) {
  const authority = `${folder}/authority`;
  mkdirSync(authority, { recursive: true });
  openssl(
    "req",
    "-x509",
    ...newKey(`${authority}/key.pem`),
    "-subj",
    "/CN=a test",
    "-days",
    "1",
    ...to(authority),
  );
  for (const [name, extensions] of [
    ["server", `subjectAltName=IP:${address}\nextendedKeyUsage=serverAuth\n`],
    ["client", "extendedKeyUsage=clientAuth\n"],
  ]) {
    const place = `${folder}/${name}`;
    mkdirSync(place);
    writeFileSync(`${place}/extensions`, extensions);
    openssl("req", ...newKey(`${place}/key.pem`), "-subj", `/CN=${name}`, "-out", `${place}/request`);
    const signer = ["-CA", `${authority}/cert.pem`, "-CAkey", `${authority}/key.pem`, "-CAcreateserial"];
    openssl(
      "x509",
      "-req",
      "-in",
      `${place}/request`,
      ...signer,
      "-extfile",
      `${place}/extensions`,
      ...to(place),
    );
    copyFileSync(`${authority}/cert.pem`, `${place}/ca.pem`);
  }
}

function newKey(file) {
  return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", file];
}

function to(folder) {
  return ["-out", `${folder}/cert.pem`];
}

function openssl(...args) {
  execFileSync("openssl", args, { stdio: ["ignore", "ignore", "pipe"] });
}
