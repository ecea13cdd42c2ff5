/** The body of a dead letter in an editor. Pure. */

/**
 * JSON on many lines, which is easier to edit; undefined where the body is no JSON. What would not come back the same
 * (a number with more digits than JavaScript knows) stays as it is.
 */
export function prettyJson(body: string): string | undefined {
  try {
    const value = JSON.parse(body)
    return JSON.stringify(value) === body ? JSON.stringify(value, null, 2) : body
  } catch {
    return undefined
  }
}

/** What is sent in place of the body: nothing when nobody changed it, so that it stays as it was byte for byte. */
export function replacementOf(body: string, edited: string): { body?: string } {
  const same = edited === body || edited === prettyJson(body)
  return same ? {} : { body: edited }
}

/** In parts of at most so many, as one call takes them. */
export const inParts = <T>(items: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / most) }, (_, part) => items.slice(part * most, (part + 1) * most))
