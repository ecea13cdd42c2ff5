import { createTask, TaskTarget, TaskType, updateTask } from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { deviceModelQuery as modelQuery, deviceProductQuery as productQuery } from '#blocks/device/queries.ts'
import { callableOf } from '#blocks/model-form/command-text.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { checkDraft, type Faults, faultsOfStep, firstFaultyStep, stepOfField, steps } from '../../draft/check-draft.ts'
import { bodyOf, reached, type TaskDraft, targetOf, whyTyped } from '../../draft/task-draft.ts'
import { previewQuery, useTaskSend } from '../../queries.ts'
import type { ReachView } from './form-row.tsx'

/** Behind the last step stands the summary. */
export const summaryStep = steps.length

export interface TaskStart {
  draft: TaskDraft
  /** A saved task that is edited; undefined: a new one. */
  edited?: { taskID: number; rev: number }
  title: string
}

const noFaults: Faults = new Map()

function allFaults(draft: TaskDraft, model: ThingModel | undefined, reach: ReachView['reach']): Faults {
  const found = new Map(checkDraft(draft, model, Date.now()))
  const unknown = draft.targetType === TaskTarget.devices ? (reach?.unknown ?? []) : []
  if (unknown.length > 0)
    found.set('deviceNames', t('{count, number} 个名称在产品中不存在，请先移除', { count: unknown.length }))
  return found
}

/** What the platform knows about a draft: the model and name of its product, and whom it reaches. */
function useFactsOf(draft: TaskDraft) {
  const { productID, taskType } = draft
  const model = useQuery({ ...modelQuery(productID), enabled: productID !== '' && taskType !== TaskType.config }).data
  const productName = useQuery({ ...productQuery(productID), enabled: productID !== '' }).data?.productName ?? ''
  const { data, isFetching, error, refetch } = useQuery(previewQuery(targetOf(draft)))
  const retry = () => void refetch()
  const reach: ReachView = { reach: data, loading: isFetching, error: data ? undefined : error, retry }
  return { model, productName, reach }
}

/** Everything the drawer does besides drawing: the draft, its checks, the steps, the save. */
export function useTaskForm({ draft: first, edited }: TaskStart, onSaved: (taskID: number) => void) {
  const send = useTaskSend()
  const [draft, setDraft] = useState(first)
  const [step, setStep] = useState(0)
  const [tried, setTried] = useState(false)
  const [typed, setTyped] = useState('')
  const [state, setState] = useState<'open' | 'busy' | 'saved'>('open')
  const [failure, setFailure] = useState<string>()
  const facts = useFactsOf(draft)
  const { model, reach } = facts

  const change = useCallback((patch: Partial<TaskDraft>) => {
    setDraft((before) => ({ ...before, ...patch }))
    setTyped('')
    setFailure(undefined)
  }, [])
  const faults = allFaults(draft, model, reach.reach)
  const goTo = (to: number, wrong = false) => {
    setStep(to)
    setTried(wrong)
    setFailure(undefined)
  }
  const action =
    draft.taskType === TaskType.action && model
      ? callableOf(model).find(({ identifier }) => identifier === draft.actionID)
      : undefined
  const count = reach.reach && reached(reach.reach, draft.onlineOnly)
  const why = count === undefined ? undefined : whyTyped(count, action)

  const save = async (): Promise<number> => {
    const body = bodyOf(draft)
    if (!edited) return (await send(createTask, body)).taskID
    await send(updateTask, { ...body, ...edited })
    return edited.taskID
  }
  const submit = async () => {
    const at = firstFaultyStep(faults)
    if (at !== undefined) return goTo(at, true)
    setState('busy')
    setFailure(undefined)
    try {
      const taskID = await save()
      setState('saved')
      onSaved(taskID)
    } catch (error) {
      const { field, reason } = describeError(error)
      // The step of the refused field is where it is put right; the sentence stays in the footer.
      if (field) goTo(stepOfField(field.split('.')[0] ?? ''))
      setState('open')
      setFailure(reason)
    }
  }
  return {
    ...facts,
    draft,
    change,
    step,
    goTo: (to: number) => goTo(to),
    next: () => {
      // Faults of earlier steps come back when a later choice (another product) made them wrong.
      const at = firstFaultyStep(faults)
      if (at === undefined || at > step) goTo(step + 1)
      else goTo(at, true)
    },
    submit,
    busy: state === 'busy',
    failure,
    dirty: state !== 'saved' && JSON.stringify(draft) !== JSON.stringify(first),
    why,
    mayGo: count !== undefined && (why === undefined || typed === String(count)),
    typed,
    setTyped,
    faults: tried ? faultsOfStep(faults, step) : noFaults,
  }
}
