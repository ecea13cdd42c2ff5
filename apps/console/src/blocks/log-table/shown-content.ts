/**
 * What a message said, for people. Refused messages are kept as a JSON text of what was received: that text is shown,
 * and where it is JSON itself, its members. Pure.
 */
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function shownContent(content: string): Record<string, unknown> | string {
  const outer = parse(content)
  const inner = typeof outer === 'string' ? parse(outer) : outer
  if (isRecord(inner)) return inner
  return typeof outer === 'string' ? outer : content
}
