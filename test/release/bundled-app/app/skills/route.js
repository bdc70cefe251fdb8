import { runSkill } from "../../app.mjs";

/** The build itself runs it, in the bundle of a server. */
export const dynamic = "force-static";

export async function GET() {
  return Response.json(await runSkill());
}
