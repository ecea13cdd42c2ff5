/** When each topic was used last, by few calls: a device uses some of its topics all the time and most of them never. */
interface Line {
  topic: string
  timestamp: string
}

/** The most topics that a call takes. */
const topicsPerCall = 20
export const linesPerCall = 100

/** @param newest the newest lines of these topics, up to `linesPerCall`; topics without any are absent from the answer */
export async function lastUses(
  topics: readonly string[],
  newest: (topics: string[]) => Promise<readonly Line[]>,
): Promise<Record<string, string>> {
  const uses: Record<string, string> = {}
  let open = [...new Set(topics)]
  while (open.length > 0) {
    const asked = open.slice(0, topicsPerCall)
    const lines = await newest(asked)
    for (const { topic, timestamp } of lines) uses[topic] ??= timestamp
    // Further back there is more only behind a full page, which has found at least one of them.
    const told = lines.length < linesPerCall ? asked : asked.filter((topic) => topic in uses)
    if (told.length === 0) break
    open = open.filter((topic) => !told.includes(topic))
  }
  return uses
}
