/** Waits no longer than so many milliseconds. What the work does after that is left alone. @param late what counts then */
export async function within<T, L = never>(
  ms: number,
  work: Promise<T>,
  late: () => L = () => {
    throw new Error(`no answer in ${ms} ms`)
  },
): Promise<T | L> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    return await Promise.race([work, promise.then(late)])
  } finally {
    clearTimeout(timer)
  }
}

/** Who asks again before the answer is there waits for the same one: of what hangs there is one, however often it is asked. */
export function oneAtATime<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () => {
    asked ??= ask().finally(() => {
      asked = undefined
    })
    return asked
  }
}
