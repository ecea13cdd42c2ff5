/** One call a row, one after the other: the rows tell their outcome as it comes; a refusal stops none. Pure. */
export type Outcome = { state: 'done' } | { state: 'failed'; error: unknown }

export async function runEach<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  onOutcome: (item: T, outcome: Outcome) => void,
): Promise<void> {
  for (const item of items) {
    const outcome = await work(item).then(
      (): Outcome => ({ state: 'done' }),
      (error: unknown): Outcome => ({ state: 'failed', error }),
    )
    onOutcome(item, outcome)
  }
}
