/** The general part of the OpenAPI document. */
export const OPENAPI = {
  openapi: "3.1.0",
  info: {
    title: "Skillwright agent server",
    version: "1",
    description:
      "Conversations with agents that have skills: turns as streams, files, artifacts, skills and workspaces.",
  },
  security: [{ bearer: [] }],
};
