/**
 * Statements that PostgreSQL plans once for a connection instead of each time: to plan them takes longer than to carry
 * them out. For those of the quick ways that find their rows by key, whatever the values are.
 */

/** @param most a connection keeps a plan of each; a text that was put together from what people sent would not be one of few */
export function makePrepared(most: number) {
  const names = new Map<string, string>()
  return {
    /** @returns the same text, whose plan is kept from now on */
    prepared(text: string): string {
      if (!names.has(text) && names.size < most) names.set(text, `ithings ${names.size + 1}`)
      return text
    },
    /** @param asked what node-postgres takes: a text, or a statement of another kind, which stays as it is */
    withName(asked: unknown): unknown {
      const name = typeof asked === 'string' ? names.get(asked) : undefined
      return name === undefined ? asked : { name, text: asked }
    },
  }
}

export const { prepared, withName } = makePrepared(200)
