import { server } from "../../../../server.ts";

const { fetch } = server;

export { fetch as DELETE, fetch as GET, fetch as OPTIONS, fetch as PATCH, fetch as POST, fetch as PUT };
