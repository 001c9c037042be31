/** What is known at once in the common case: a promise only where something has to wait. */
export type Maybe<T> = T | Promise<T>

/** Goes on at once where it can: a turn of the event loop costs more than a cached answer. */
export const andThen = <T, U>(value: Maybe<T>, use: (value: T) => Maybe<U>): Maybe<U> =>
  value instanceof Promise ? value.then(use) : use(value)
