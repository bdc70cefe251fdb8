/** A client of dockerode, made by the caller, who also closes what has to be closed of it. */
export interface HandedClient {
  readonly modem: object;
  getContainer(id: string): object;
}
