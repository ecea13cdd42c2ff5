import { isRecord } from '@ithings/contract/is-record.ts'

/** What a text says as JSON; undefined when it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The members of an object that is written as JSON; none when it is anything else. */
export function objectOf(text: string): Record<string, unknown> {
  const value = parsedJson(text)
  return isRecord(value) ? value : {}
}
