/** Runs product scripts away from our objects and our event loop (device-protocol.md 9). */

export interface ScriptCall {
  script: string
  /** Function to call, like thingPropertyUp. */
  handler: string
  /** Bytes for Up functions (handed over as Uint8Array), any JSON value for Down functions. */
  input: Uint8Array | unknown
}

/**
 * script: it threw, does not parse or answered something unusable; missing: no such function; limit: time, memory,
 * stack or size; refused: too many time-outs lately; busy: the engine has no room now.
 */
export type ScriptFailure = 'script' | 'missing' | 'limit' | 'refused' | 'busy'

export interface ScriptOutcome {
  ok: boolean
  /** Why it failed; '' when it did not. */
  reason: ScriptFailure | ''
  /** What the function answered; a Uint8Array or array of byte numbers comes back as `bytes`. */
  value: unknown
  bytes: Uint8Array | undefined
  logs: string[]
  error: string
  /** 1-based line of the script, 0 when unknown. */
  line: number
  milliseconds: number
}

export interface ScriptRunner {
  run(call: ScriptCall): Promise<ScriptOutcome>
  /** The functions that the script defines; throws nothing, a broken script defines none. */
  functionsOf(script: string): Promise<{ names: string[]; error: string; line: number }>
  start(): Promise<void>
  stop(): Promise<void>
}
