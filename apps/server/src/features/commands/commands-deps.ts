import { commandTimeoutMs } from '@ithings/contract/features/commands.ts'
import type { Common } from '#common-deps.ts'
import type { PendingReplies } from '#downlink/pending-replies.ts'
import type { DownlinkDeps } from '#downlink/send.ts'
import type { ProductCache } from '#features/products/door.ts'
import type { Broker } from '#ports/broker.ts'

export interface CommandParts extends DownlinkDeps, Common<'db' | 'signal'> {
  /** With several servers: the relay. */
  broker: Pick<Broker, 'publish' | 'sessionOf'>
  products: ProductCache
  pending: PendingReplies
  /** How long a caller waits for the device. */
  timeoutMs?: number
}

/** What commands and the shadow need; made once in app/. */
export interface CommandsDeps extends CommandParts {
  timeoutMs: number
  /** Replies on their way into the history, by token: who waits for the reply waits for this too. */
  recording: Map<string, Promise<void>>
}

export const makeCommandsDeps = (parts: CommandParts): CommandsDeps => ({
  ...parts,
  timeoutMs: parts.timeoutMs ?? commandTimeoutMs,
  recording: new Map(),
})
