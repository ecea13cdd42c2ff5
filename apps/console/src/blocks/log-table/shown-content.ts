import { parsedJson } from '#kit/json-object.ts'

/**
 * What a message said, for people. Refused messages are kept as a JSON text of what was received: that text is shown,
 * and where it is JSON itself, its members. Pure.
 */
export function shownContent(content: string): Record<string, unknown> | string {
  const outer = parsedJson(content) ?? content
  const inner = typeof outer === 'string' ? parsedJson(outer) : outer
  if (typeof inner === 'object' && inner !== null) return inner as Record<string, unknown>
  return typeof outer === 'string' ? outer : content
}
