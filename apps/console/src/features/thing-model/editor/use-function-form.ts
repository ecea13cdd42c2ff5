import type { SchemaItem } from '@ithings/contract/features/thing-model.ts'
import { t } from '@ithings/contract/text.ts'
import { fromItem, type ModelFunction } from '@ithings/contract/thing-model/affordance.ts'
import { useId, useRef, useState } from 'react'
import { describeError, type ErrorView } from '#kit/states/describe-error.ts'
import { useMemo } from '#language/use-memo.ts'
import { checkDraft } from '../check-draft.ts'
import { draftOf, emptyDraft, type FunctionDraft, partOfItem, toItem } from '../function-draft.ts'

/** What the drawer is open for; a copy starts from another function and is a new one. */
export type FunctionTask =
  | { kind: 'create'; type: FunctionDraft['type'] }
  | { kind: 'copy'; item: SchemaItem }
  | { kind: 'edit'; item: SchemaItem }

/** screens.md 4.2 "copy row": everything but the identifier, which must be its own. */
const copied = (draft: FunctionDraft): FunctionDraft => ({
  ...draft,
  identifier: `${draft.identifier}_copy`.slice(0, 128),
  name: t('{name} 副本', { name: draft.name }),
})

function startOf(task: FunctionTask | undefined): FunctionDraft {
  if (!task) return emptyDraft()
  if (task.kind === 'create') return emptyDraft(task.type)
  const part = partOfItem(task.item)
  if (!part) return { ...emptyDraft(), identifier: task.item.identifier, name: task.item.name }
  return task.kind === 'copy' ? copied(draftOf(part)) : draftOf(part)
}

const wireText = (draft: FunctionDraft): string => JSON.stringify(toItem(draft))

/** The samples want a whole function: what is not typed yet is stood in for. */
function previewOf(draft: FunctionDraft): ModelFunction | undefined {
  const result = fromItem(
    toItem({ ...draft, identifier: draft.identifier || 'identifier', name: draft.name || t('名称') }),
  )
  return result.ok ? result.part : undefined
}

export function useFunctionForm(task: FunctionTask | undefined, taken: ReadonlyMap<string, string>) {
  const form = useId()
  const [start, setStart] = useState(() => startOf(task))
  const [draft, setDraft] = useState(start)
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<{ path: string; text: string }>()
  const [failure, setFailure] = useState<ErrorView>()
  const lastGood = useRef<ModelFunction>(undefined)

  const issues = useMemo(() => checkDraft(draft, taken), [draft, taken])
  const shown = useMemo(() => {
    const all = issues.filter((issue) => tried || !issue.blank)
    const texts = new Map<string, string>()
    for (const { path, text } of [...all, ...(refused ? [refused] : [])]) if (!texts.has(path)) texts.set(path, text)
    return texts
  }, [issues, tried, refused])
  const preview = useMemo(() => previewOf(draft), [draft])
  if (preview) lastGood.current = preview

  const idOf = (path: string) => `${form}-${path}`
  const showFirst = (paths: readonly string[]) => {
    // After the faults are drawn, so that the eye lands on the field and its sentence.
    requestAnimationFrame(() => {
      const field = document.getElementById(idOf(paths[0] ?? ''))
      field?.scrollIntoView({ block: 'center' })
      field?.focus()
    })
  }

  return {
    draft,
    dirty: task?.kind === 'copy' || wireText(draft) !== wireText(start),
    change: (next: FunctionDraft) => {
      setDraft(next)
      setRefused(undefined)
      setFailure(undefined)
    },
    /** True when it may be sent; else every fault is shown and the first one found. */
    check: (): boolean => {
      setTried(true)
      setFailure(undefined)
      showFirst(issues.map((issue) => issue.path))
      return issues.length === 0
    },
    refuse: (error: unknown) => {
      const view = describeError(error)
      if (view.field === 'identifier' || view.field === 'name' || view.field === 'desc') {
        setRefused({ path: view.field, text: view.reason })
        showFirst([view.field])
      } else setFailure(view)
    },
    restart: (type: FunctionDraft['type']) => {
      const next = emptyDraft(type)
      setStart(next)
      setDraft(next)
      setTried(false)
    },
    problems: shown.size,
    failure: failure ?? (shown.has('') ? { kind: 'error' as const, reason: shown.get('') ?? '' } : undefined),
    issueAt: (path: string) => shown.get(path),
    idOf,
    preview: preview ?? lastGood.current,
    previewStale: preview === undefined,
  }
}
