/** MQTT 3.1.1, 4.7. Filters were checked when they were subscribed. */
export function filterMatches(filter: string, topic: string): boolean {
  if (filter === topic) return true
  if (!filter.includes('+') && !filter.includes('#')) return false
  const wanted = filter.split('/')
  const levels = topic.split('/')
  for (const [at, level] of wanted.entries()) {
    if (level === '#') return true
    if (at >= levels.length || (level !== '+' && level !== levels[at])) return false
  }
  return wanted.length === levels.length
}

/** `product/device` of the key of a stored session, `product/device#id`; names hold neither sign. */
export const deviceOfKey = (clientKey: string): string => clientKey.slice(0, clientKey.lastIndexOf('#'))
