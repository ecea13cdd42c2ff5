import { ImportMode } from '@ithings/contract/features/thing-model.ts'
import type { ModelDiff } from '@ithings/contract/thing-model/model-diff.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { describeError, type ErrorView } from '#kit/states/describe-error.ts'
import { useMemo } from '#language/use-memo.ts'
import { lostFunctions } from './diff-list.tsx'
import { referencesQuery, sendTsl, useModelChanged } from './queries.ts'
import { checkTsl } from './tsl-check.ts'

export type WriteMode = typeof ImportMode.merge | typeof ImportMode.replace

interface Preview {
  text: string
  diff: ModelDiff
}

/** A merge removes nothing. */
const affectedBy = (diff: ModelDiff, mode: WriteMode): string[] =>
  lostFunctions(mode === ImportMode.replace ? diff : { ...diff, removed: [] })

/** Text, check, preview, write: nothing is changed before the last step. */
export function useImport(productID: string) {
  const [text, setText] = useState('')
  const [mode, setMode] = useState<WriteMode>(ImportMode.merge)
  const [preview, setPreview] = useState<Preview>()
  const [result, setResult] = useState<ModelDiff>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ErrorView>()
  const changed = useModelChanged(productID)
  const check = useMemo(() => (text.trim() === '' ? undefined : checkTsl(text)), [text])

  const affected = preview ? affectedBy(preview.diff, mode) : []
  const references = useQuery({ ...referencesQuery(productID, affected.slice(0, 500)), enabled: affected.length > 0 })

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      setFailure(describeError(error))
    } finally {
      setBusy(false)
    }
  }

  return {
    text,
    change: (next: string) => {
      setText(next)
      setFailure(undefined)
    },
    check,
    mode,
    setMode,
    preview,
    result,
    busy,
    failure,
    references: affected.length > 0 ? (references.data?.list ?? []) : [],
    back: () => {
      setPreview(undefined)
      setFailure(undefined)
    },
    compare: () =>
      attempt(async () => {
        const diff = await sendTsl({ productID, tsl: text, mode: ImportMode.preview })
        setPreview({ text, diff })
      }),
    write: () =>
      attempt(async () => {
        if (!preview) return
        setResult(await sendTsl({ productID, tsl: preview.text, mode }))
        await changed()
      }),
  }
}
