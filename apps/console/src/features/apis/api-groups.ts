/** Groups of the registry and what already stands in it. Pure. */
import type { Api } from '@ithings/contract/features/apis.ts'

export interface ApiGroup {
  name: string
  count: number
}

/** In the order of their first row, as the platform registers them. */
export function groupsOf(list: readonly Api[]): ApiGroup[] {
  const counts = new Map<string, number>()
  for (const api of list) counts.set(api.group, (counts.get(api.group) ?? 0) + 1)
  return [...counts].map(([name, count]) => ({ name, count }))
}

/** Route and method name one API: the row that has them already. */
export const sameApi = (
  list: readonly Api[],
  wanted: { route: string; method: number },
  self: number | undefined,
): Api | undefined => list.find((api) => api.route === wanted.route && api.method === wanted.method && api.id !== self)

/** One page of the rows whose group is exactly this one. */
export function pageOfGroup(
  list: readonly Api[],
  group: string,
  { page, size }: { page: number; size: number },
): { list: Api[]; total: number } {
  const rows = list.filter((api) => api.group === group)
  return { list: rows.slice((page - 1) * size, page * size), total: rows.length }
}
