/** How far a long command is: a bar on a terminal, a line each tenth elsewhere. */
import { SingleBar } from 'cli-progress'

export interface Progress {
  /** `done` of `total`; the total may be an estimate and grow. */
  (label: string, done: number, total: number): void
  end(): void
}

export function showProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  let bar: SingleBar | undefined
  let shown = ''
  const show = (label: string, done: number, total: number): void => {
    if (stream.isTTY) {
      if (!bar) {
        bar = new SingleBar({ stream, format: '{label} {bar} {value}/{total} ({eta} s left)' })
        bar.start(total, done, { label })
      }
      bar.setTotal(total)
      bar.update(done, { label })
      return
    }
    const line = `${label} ${Math.floor((done / Math.max(total, 1)) * 10) * 10} %`
    if (line !== shown) stream.write(`${line}\n`)
    shown = line
  }
  return Object.assign(show, {
    end() {
      bar?.stop()
      bar = undefined
    },
  })
}
