export function GET(): Response {
  return new Response("the application's own page");
}
