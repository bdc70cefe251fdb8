const TEST_TOOL = "It calls a tool that only the example server of the conformance suite has.";
const TEST_RESOURCE = "It reads a resource that only the example server of the conformance suite has.";
const NO_PROMPTS = "We offer no prompts: skills are tools and resources.";
const NO_OAUTH =
  "The client obtains no token by itself. It sends the one that SKILLWRIGHT_TOKENS has for the server's origin.";

/** The scenarios of the conformance suite that do not apply to the server or to the client, each with its reason. */
export const leftOutScenarios = {
  server: {
    "completion-complete":
      "We complete no arguments, because we have neither prompts nor templates with a choice.",
    "tools-call-simple-text": TEST_TOOL,
    "tools-call-image": TEST_TOOL,
    "tools-call-audio": TEST_TOOL,
    "tools-call-embedded-resource": TEST_TOOL,
    "tools-call-mixed-content": TEST_TOOL,
    "tools-call-with-logging": TEST_TOOL,
    "tools-call-error": TEST_TOOL,
    "tools-call-with-progress": TEST_TOOL,
    "tools-call-sampling": TEST_TOOL,
    "tools-call-elicitation": TEST_TOOL,
    "json-schema-2020-12": TEST_TOOL,
    "elicitation-sep1034-defaults": TEST_TOOL,
    "elicitation-sep1330-enums": TEST_TOOL,
    "server-sse-polling": "The server keeps no sessions over HTTP, so a stream cannot be resumed.",
    "server-sse-multiple-streams":
      "The server keeps no sessions over HTTP, and the scenario needs the id of one.",
    "resources-read-text": TEST_RESOURCE,
    "resources-read-binary": TEST_RESOURCE,
    "resources-templates-read": TEST_RESOURCE,
    "resources-subscribe": "The server tells changes of the list of resources, not of single ones.",
    "resources-unsubscribe": "The server tells changes of the list of resources, not of single ones.",
    "prompts-list": NO_PROMPTS,
    "prompts-get-simple": NO_PROMPTS,
    "prompts-get-with-args": NO_PROMPTS,
    "prompts-get-embedded-resource": NO_PROMPTS,
    "prompts-get-with-image": NO_PROMPTS,
  },
  client: {
    tools_call: "The client reads skills and calls no tools of a server.",
    "elicitation-sep1034-client-defaults": "The client answers no questions of a server.",
    "sse-retry": "The client keeps no stream open for messages that it has not asked for.",
    "auth/metadata-default": NO_OAUTH,
    "auth/metadata-var1": NO_OAUTH,
    "auth/metadata-var2": NO_OAUTH,
    "auth/metadata-var3": NO_OAUTH,
    "auth/basic-cimd": NO_OAUTH,
    "auth/scope-from-www-authenticate": NO_OAUTH,
    "auth/scope-from-scopes-supported": NO_OAUTH,
    "auth/scope-omitted-when-undefined": NO_OAUTH,
    "auth/scope-step-up": NO_OAUTH,
    "auth/scope-retry-limit": NO_OAUTH,
    "auth/token-endpoint-auth-basic": NO_OAUTH,
    "auth/token-endpoint-auth-post": NO_OAUTH,
    "auth/token-endpoint-auth-none": NO_OAUTH,
    "auth/pre-registration": NO_OAUTH,
    "auth/2025-03-26-oauth-metadata-backcompat": NO_OAUTH,
    "auth/2025-03-26-oauth-endpoint-fallback": NO_OAUTH,
    "auth/offline-access-scope": NO_OAUTH,
    "auth/offline-access-not-supported": NO_OAUTH,
    "auth/client-credentials-jwt": NO_OAUTH,
    "auth/client-credentials-basic": NO_OAUTH,
    "auth/cross-app-access-complete-flow": NO_OAUTH,
  },
};
