import { isRecord } from '@ithings/contract/is-record.ts'

/** Whether two values of JSON mean the same: the order of members says nothing, and one that is not there is undefined. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((member, i) => isSame(member, other[i]))
  if (!isRecord(one) || !isRecord(other)) return false
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => isSame(one[name], other[name]))
}
