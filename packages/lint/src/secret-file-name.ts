/**
 * True for the name of a file in which tools keep keys and passwords, whatever it contains. False for examples of such
 * files.
 */
export function isSecretFileName(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (EXAMPLE.test(name)) return false;
  return NAMES.has(name) || FORMS.test(name) || PLACES.test(path.toLowerCase());
}

const EXAMPLE = /[._-](?:example|sample|template|dist|defaults?|schema)(?:\.[a-z]+)?$/;
const NAMES = new Set(
  ".envrc .netrc _netrc .pgpass .my.cnf .git-credentials .htpasswd .vault-token credentials.json client_secret.json".split(
    " ",
  ),
);
const FORMS =
  /^\.env(?:\..+)?$|^id_(?:rsa|dsa|ecdsa|ed25519)$|\.(?:key|p12|pfx|jks|keystore|kdbx|ppk)$|^service[-_]account[\w-]*\.json$/;
const PLACES = /(?:^|\/)(?:\.aws\/credentials|\.docker\/config\.json|\.kube\/config)$/;
