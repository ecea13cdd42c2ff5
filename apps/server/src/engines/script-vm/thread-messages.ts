/** What the main thread and a script thread say to each other; texts and bytes only, never objects of a script. */
import type { ScriptFailure } from '#ports/script-runner.ts'

export interface Task {
  id: number
  scriptID: number
  /** Only when this thread does not hold the script yet. */
  script: string | undefined
  /** A script that this thread shall forget. */
  drop: number | undefined
  /** Function to call; empty: only tell which functions exist. */
  handler: string
  /** JSON text or bytes. */
  input: string | Uint8Array
}

export interface Reply {
  id: number
  /** JSON text of the answer, undefined when the call failed. */
  json: string | undefined
  names: string[]
  logs: string[]
  error: string
  line: number
  reason: ScriptFailure | ''
  timedOut: boolean
  milliseconds: number
}

export const ready = 'ready'

export const failedReply = (id: number, reason: ScriptFailure, error: string): Reply => ({
  id,
  json: undefined,
  names: [],
  logs: [],
  error,
  line: 0,
  reason,
  timedOut: false,
  milliseconds: 0,
})
