import { maxScriptBytes, type ProductCustom, type TestCase } from '@ithings/contract/features/scripts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { describeError } from '#kit/states/describe-error.ts'
import { customQuery, putDraft } from './queries.ts'

export type DraftStatus = 'saved' | 'waiting' | 'saving' | 'failed' | 'too-long'

interface Draft {
  text: string
  cases: TestCase[]
}

const pause = 1000
const encoder = new TextEncoder()
export const bytesOf = (text: string): number => encoder.encode(text).length

/** Without a draft of its own, editing goes on from what is published. */
const startOf = (custom: ProductCustom): Draft => ({
  text: custom.draft === '' ? custom.transformScript : custom.draft,
  cases: custom.cases,
})

/** The unpublished text and the saved cases: kept on the server a second after the last change. */
export function useScriptDraft(productID: string, custom: ProductCustom) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(() => startOf(custom))
  const [status, setStatus] = useState<DraftStatus>('saved')
  const [savedAt, setSavedAt] = useState<number>()
  const [problem, setProblem] = useState('')
  const latest = useRef(draft)
  const unsaved = useRef<Draft>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const running = useRef<Promise<void>>(undefined)

  const send = useCallback(async () => {
    const { text, cases } = unsaved.current ?? {}
    if (text === undefined || !cases) return
    unsaved.current = undefined
    setStatus('saving')
    // Whoever comes back to this tab sees the newest text, even when the answer is still on its way.
    client.setQueryData(customQuery(productID).queryKey, (old) => old && { ...old, draft: text, cases })
    try {
      await putDraft({ productID, draft: text, cases })
      setSavedAt(Date.now())
      setProblem('')
      setStatus(unsaved.current ? 'waiting' : 'saved')
    } catch (error) {
      unsaved.current ??= { text, cases }
      setProblem(describeError(error).reason)
      setStatus('failed')
    }
  }, [client, productID])

  /** One save at a time, the newest text last. */
  const flush = useCallback(async (): Promise<boolean> => {
    await running.current
    running.current = send()
    await running.current
    return unsaved.current === undefined
  }, [send])

  // Leaving the tab does not wait for the pause.
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      void flush()
    },
    [flush],
  )

  const change = (patch: Partial<Draft>) => {
    const next = { ...latest.current, ...patch }
    latest.current = next
    setDraft(next)
    clearTimeout(timer.current)
    const tooLong = bytesOf(next.text) > maxScriptBytes
    unsaved.current = tooLong ? undefined : next
    setStatus(tooLong ? 'too-long' : 'waiting')
    if (!tooLong) timer.current = setTimeout(() => void flush(), pause)
  }

  return { ...draft, status, savedAt, problem, change, flush }
}

export type ScriptDraft = ReturnType<typeof useScriptDraft>
