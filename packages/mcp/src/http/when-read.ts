/** Returns the same answer, and calls `done` once when its body has been read to the end or is given up. */
export function whenRead(response: Response, done: () => void): Response {
  if (!response.body) {
    done();
    return response;
  }
  const watched = response.body.pipeThrough(new TransformStream({ flush: done, cancel: done }));
  const { status, statusText, headers } = response;
  return new Response(watched, { status, statusText, headers });
}
