/** Runs one call a row, a few at a time, and tells each outcome; a refusal never stops the rest. Pure. */
export interface BatchResult<T> {
  item: T
  error?: unknown
}

const atOnce = 4

export async function runBatch<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  onResult: (result: BatchResult<T>) => void = () => undefined,
): Promise<BatchResult<T>[]> {
  const results: BatchResult<T>[] = []
  const queue = [...items.entries()]
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [at, item] = next
      const result: BatchResult<T> = await work(item).then(
        () => ({ item }),
        (error: unknown) => ({ item, error }),
      )
      results[at] = result
      onResult(result)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return results
}
