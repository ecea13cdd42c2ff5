/** Commands given at the properties themselves: one at a time for each, its outcome stays beside it. */
import type { Device } from '@ithings/contract/features/devices/info.ts'
import { useCallback, useRef, useState } from 'react'
import { type Outcome, outcomeOfError, outcomeOfReply } from '#blocks/command-history/command-words.ts'
import { useReadNow, useSendProperty } from '../live-queries.ts'

export interface SendState {
  /** sending and reading wait for the device; told has an outcome. */
  phase: 'sending' | 'reading' | 'told'
  /** The value on its way. */
  wanted?: unknown
  outcome?: Outcome
  /** Milliseconds until the answer. */
  took?: number
}

type Told = Pick<SendState, 'outcome' | 'took'> & { outcome: Outcome }

export interface Sends {
  states: ReadonlyMap<string, SendState>
  send: (identifier: string, value: unknown) => void
  read: (identifier: string) => void
  /** Stops waiting; the answer, if it comes, is in the command history. */
  leave: (identifier: string) => void
}

/** look.md "Feedback": success is quiet and goes; a failure stays until the next try. */
const quietAfter = 5000

export function useSends(device: Device): Sends {
  const [states, setStates] = useState<ReadonlyMap<string, SendState>>(new Map())
  const running = useRef(new Map<string, AbortController>())
  const { mutateAsync: sendProperty } = useSendProperty(device)
  const { mutateAsync: readNow } = useReadNow(device)

  const put = useCallback((identifier: string, state: SendState | undefined) => {
    setStates((before) => {
      const after = new Map(before)
      if (state) after.set(identifier, state)
      else after.delete(identifier)
      return after
    })
  }, [])

  const run = useCallback(
    async (identifier: string, waiting: SendState, ask: (signal: AbortSignal) => Promise<Told>) => {
      running.current.get(identifier)?.abort()
      const control = new AbortController()
      running.current.set(identifier, control)
      put(identifier, waiting)
      const answer = await ask(control.signal).catch((error: unknown): Told => ({ outcome: outcomeOfError(error) }))
      if (control.signal.aborted) return
      const told: SendState = { phase: 'told', ...answer }
      put(identifier, told)
      if (answer.outcome.tone !== 'success') return
      setTimeout(() => {
        setStates((before) => {
          if (before.get(identifier) !== told) return before
          const after = new Map(before)
          after.delete(identifier)
          return after
        })
      }, quietAfter)
    },
    [put],
  )

  return {
    states,
    send: (identifier, value) =>
      void run(identifier, { phase: 'sending', wanted: value }, async (signal) => {
        const { reply, took } = await sendProperty({ data: JSON.stringify({ [identifier]: value }), signal })
        return { outcome: outcomeOfReply(reply), took }
      }),
    read: (identifier) =>
      void run(identifier, { phase: 'reading' }, async () => {
        const { reply, took } = await readNow([identifier])
        return { outcome: outcomeOfReply(reply), took }
      }),
    leave: (identifier) => {
      running.current.get(identifier)?.abort()
      put(identifier, undefined)
    },
  }
}
