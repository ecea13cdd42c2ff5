import type { FinishedCall } from '#http/operation-log-hook.ts'
import type { Gate, MountedEndpoint } from '#http/route.ts'

/** What assistants need; made once in app/. */
export interface AssistantDeps {
  gate: Gate
  /** What the platform can do, as the network calls it. */
  routes: readonly MountedEndpoint[]
  /** The operation log. */
  record(call: FinishedCall): void
  /** Whose pages may call; programs send no Origin. */
  origins: readonly string[]
  /** Where people reach the console. */
  publicUrl(): string
}
