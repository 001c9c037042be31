/** What is known at once in the common case: a promise only where something has to wait. */
export type MaybePromise<T> = T | Promise<T>

/** Goes on at once where it can: a turn of the event loop costs more than a cached answer. */
export const chain = <T, U>(
  value: MaybePromise<T>, use: (value: T) => MaybePromise<U>,
): MaybePromise<U> =>
  value instanceof Promise ? value.then(use) : use(value)

/** The value of `make`, or what `mend` makes of its error, thrown or rejected. */
export function recover<T>(
  make: () => MaybePromise<T>, mend: (error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const made = make()
    return made instanceof Promise ? made.catch(mend) : made
  } catch (error) {
    return mend(error)
  }
}
