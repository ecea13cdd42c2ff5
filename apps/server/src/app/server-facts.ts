/** What this server tells the others, and people, about itself with each heartbeat. */
import { hostname } from 'node:os'
import { ServerState } from '@ithings/contract/features/cluster.ts'
import type { Common } from '#common-deps.ts'
import type { ServerFacts } from '#db/tables/messages.ts'
import { version } from '#version.ts'

/** Known when everything is open. */
export interface ServerCounts {
  devices(): number
  /** All messages of devices so far. */
  messages(): number
  state(): ServerState
}

interface FactsParts extends Common<'clock' | 'signal'> {
  node: number
  /** The newest migration that it knows. */
  schema: number
  /** That it may open at the same time. */
  databaseConnections: number
  settings: ServerFacts['settings']
  counts(): ServerCounts | undefined
}

export function makeServerFacts({
  node,
  schema,
  databaseConnections,
  settings,
  clock,
  signal,
  counts,
}: FactsParts): () => ServerFacts {
  const startedAt = clock.now()
  let before = { messages: 0, at: performance.now() }
  let messageRate = 0
  return () => {
    const known = counts()
    const now = { messages: known?.messages() ?? 0, at: performance.now() }
    // Two beats that follow each other at once tell nothing about a second.
    if (now.at - before.at >= 1_000) {
      messageRate = ((now.messages - before.messages) * 1_000) / (now.at - before.at)
      before = now
    }
    return {
      node,
      name: hostname(),
      version,
      schema,
      startedAt,
      state: known?.state() ?? ServerState.serving,
      devices: known?.devices() ?? 0,
      messageRate: Math.round(messageRate * 10) / 10,
      memoryBytes: process.memoryUsage.rss(),
      signalLagMs: signal.lagMs === undefined ? -1 : Math.round(signal.lagMs * 10) / 10,
      databaseConnections,
      settings,
    }
  }
}
