/** What the demo shows, and how fast: plain text, coloured where the terminal has colours. */
import util from 'node:util'
import { sleep } from '../contract/time.ts'

export interface Stage {
  /** Begins a chapter, after a pause to read the last one. */
  chapter(title: string): Promise<void>
  /** A line; with a label, in a column of its own. */
  say(text: string, label?: string): void
  /** A line that only explains. */
  note(text: string): void
  /** What stands out inside a line. */
  strong(text: string): string
  good(text: string): string
}

export interface StageOptions {
  readonly stream: { write(text: string): unknown, hasColors?(): boolean }
  /** Pause before each chapter, in milliseconds. */
  readonly pauseMs: number
}

type Format = 'bold' | 'dim' | 'green' | 'cyan'
const LABEL_WIDTH = 12

export function createStage({ stream, pauseMs }: StageOptions): Stage {
  // Node has styleText from 20.12 on.
  const isColoured = stream.hasColors?.() === true && 'styleText' in util
  const paint = (format: Format, text: string): string =>
    (isColoured ? util.styleText(format, text) : text)
  const line = (text: string): void => { stream.write(`${text}\n`) }
  let chapters = 0
  return {
    async chapter(title) {
      if (chapters > 0) await sleep(pauseMs)
      chapters += 1
      line(`\n${paint('bold', paint('cyan', `${chapters}. ${title}`))}`)
    },
    say: (text, label) => line(label === undefined ? `   ${text}`
      : `   ${paint('dim', label.padEnd(LABEL_WIDTH))}${text}`),
    note: (text) => line(`   ${paint('dim', text)}`),
    strong: (text) => paint('bold', text),
    good: (text) => paint('green', text),
  }
}
