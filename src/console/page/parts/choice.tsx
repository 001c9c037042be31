/** A few values of which one is chosen, as buttons side by side. */
interface ChoiceProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly (readonly [value: T, label: string])[]
  onChange(value: NoInfer<T>): void
}

export const Choice = <T extends string>({ label, value, options, onChange }: ChoiceProps<T>) => (
  <div class="choice" role="group" aria-label={label}>
    {options.map(([name, text]) => (
      <button key={name} type="button" aria-pressed={name === value}
        onClick={() => onChange(name)}>{text}</button>
    ))}
  </div>
)
