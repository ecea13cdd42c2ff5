/** Keeps an answer within the room that an assistant has for it, and says what was left out. Pure. */

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0

/** A name that somebody made up is not repeated outside of the data. */
const stepTo = (name: string): string => (/^\w{1,32}$/.test(name) ? `.${name}` : '[…]')

function cutText(text: string, room: number, path: string, cuts: string[]): string {
  let length = Math.max(0, room - 2)
  while (length > 0 && sizeOf(text.slice(0, length)) > room) length = Math.floor(length * 0.8)
  cuts.push(`${path}: the first ${length} of ${text.length} characters`)
  return text.slice(0, length).toWellFormed()
}

/** Whole items, as many as fit; of one that is too large by itself a part. */
function cutList(list: unknown[], room: number, path: string, cuts: string[]): unknown[] {
  let used = 2
  const kept = []
  for (const item of list) {
    used += sizeOf(item) + 1
    if (used > room) break
    kept.push(item)
  }
  cuts.push(`${path}: the first ${Math.max(1, kept.length)} of ${list.length} items`)
  return kept.length > 0 ? kept : [cut(list[0], room - 2, `${path}[0]`, cuts)]
}

/** Small members stay whole (a total beside its list); large ones share what is left. */
function cutObject(object: object, room: number, path: string, cuts: string[]): object {
  const bySize = Object.entries(object)
    .map(([name, value]) => ({ name, value, size: sizeOf(value), own: sizeOf(name) + 2 }))
    .toSorted((a, b) => a.size - b.size)
  let left = room - 2
  const kept = new Map<string, unknown>()
  for (const [index, { name, value, size, own }] of bySize.entries()) {
    const share = size + own <= left ? size : Math.floor(left / (bySize.length - index)) - own
    if (share < Math.min(size, 40)) {
      cuts.push(`${path}: ${bySize.length - index} of ${bySize.length} members are left out`)
      break
    }
    const member = cut(value, share, path + stepTo(name), cuts)
    kept.set(name, member)
    left -= sizeOf(member) + own
  }
  return Object.fromEntries(Object.keys(object).flatMap((name) => (kept.has(name) ? [[name, kept.get(name)]] : [])))
}

function cut(value: unknown, room: number, path: string, cuts: string[]): unknown {
  if (sizeOf(value) <= room) return value
  if (typeof value === 'string') return cutText(value, room, path, cuts)
  if (Array.isArray(value)) return cutList(value, room, path, cuts)
  return typeof value === 'object' && value !== null ? cutObject(value, room, path, cuts) : value
}

/** @param room characters of JSON */
export function cutAnswer(data: unknown, room: number): { data: unknown; cuts: string[] } {
  const cuts: string[] = []
  return { data: cut(data, room, 'data', cuts), cuts }
}
