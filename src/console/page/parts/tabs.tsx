import { useId } from 'preact/hooks'
import type { ComponentChildren } from 'preact'

interface TabsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly (readonly [value: T, label: string])[]
  onChange(value: NoInfer<T>): void
  readonly children?: ComponentChildren
}

/** Arrow keys go from one to the next, as in any tab list. */
export function Tabs<T extends string>(
  { label, value, options, onChange, children }: TabsProps<T>,
) {
  const id = useId()
  function step(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const at = options.findIndex(([name]) => name === value)
    const next = options.at((at + by) % options.length)?.[0]
    if (next === undefined) return
    onChange(next)
    requestAnimationFrame(() => document.getElementById(`${id}-${next}`)?.focus())
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={step}>
        {options.map(([name, text]) => (
          <button key={name} type="button" role="tab" id={`${id}-${name}`}
            aria-selected={name === value} aria-controls={`${id}-panel`}
            tabIndex={name === value ? 0 : -1} onClick={() => onChange(name)}>{text}</button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>{children}</div>
    </>
  )
}
