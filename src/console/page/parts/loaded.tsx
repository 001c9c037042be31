import type { ComponentChildren } from 'preact'
import type { Loaded } from '../use-load.ts'
import { Loading, ProblemNotice } from './notice.tsx'

interface ShowProps<T> {
  readonly from: Loaded<T>
  children(data: T): ComponentChildren
}

/** What was read; until then that it is read, and what keeps it from being read. */
export function Show<T>({ from: { data, problem, reload }, children }: ShowProps<T>) {
  return (
    <>
      <ProblemNotice problem={problem} retry={reload} />
      {data !== undefined ? children(data) : !problem && <Loading />}
    </>
  )
}
