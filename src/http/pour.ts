/** Sends pieces as they come, no faster than the client takes them. Knows nothing of sockets. */

export interface Outlet {
  /** False when the client has not taken everything yet: `onWritable` is called when it has. */
  write(piece: string): boolean
  onWritable(listener: () => void): void
  /** Aborted when the client has gone or the server drains. */
  readonly signal: AbortSignal
}

/** Resolves with the bytes that were sent, at the end of the pieces or once it was aborted. */
export async function pour(pieces: AsyncIterable<string>, outlet: Outlet): Promise<number> {
  const { signal } = outlet
  let bytes = 0
  let goOn = (): void => {}
  outlet.onWritable(() => goOn())
  signal.addEventListener('abort', () => goOn())
  for await (const piece of pieces) {
    if (signal.aborted) break
    if (piece === '') continue
    bytes += Buffer.byteLength(piece)
    if (outlet.write(piece)) continue
    await new Promise<void>((resolve) => { goOn = resolve })
    if (signal.aborted) break
  }
  return bytes
}
