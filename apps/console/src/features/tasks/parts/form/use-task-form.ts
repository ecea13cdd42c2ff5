import { TaskTarget, TaskType } from '@ithings/contract/features/tasks.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { modelQuery, productQuery } from '#blocks/debug-panel/debug-queries.ts'
import { callableOf } from '#blocks/model-form/command-text.ts'
import { describeError, type ErrorView } from '#kit/states/describe-error.ts'
import { checkDraft, type Faults, faultsOfStep, firstFaultyStep, stepOfField, steps } from '../../draft/check-draft.ts'
import { bodyOf, reached, type TaskDraft, targetOf, whyTyped } from '../../draft/task-draft.ts'
import { previewQuery, useTaskWork } from '../../queries.ts'
import type { ReachView } from './step-props.ts'

/** Behind the last step stands the summary. */
export const summaryStep = steps.length

export interface TaskStart {
  draft: TaskDraft
  /** A saved task that is edited; undefined: a new one. */
  edited?: { taskID: number; rev: number }
  title: string
}

function useReach(draft: TaskDraft): ReachView {
  const preview = useQuery(previewQuery(targetOf(draft)))
  return {
    reach: preview.data,
    loading: preview.isFetching,
    error: preview.data ? undefined : preview.error,
    retry: () => void preview.refetch(),
  }
}

const noFaults: Faults = new Map()

function allFaults(draft: TaskDraft, model: ThingModel | undefined, unknown: readonly string[]): Faults {
  const found = new Map(checkDraft(draft, model, Date.now()))
  if (unknown.length > 0) found.set('deviceNames', `${unknown.length.toLocaleString()} 个名称在产品中不存在，请先移除`)
  return found
}

/** Everything the drawer does besides drawing: the draft, its checks, the steps, the save. */
export function useTaskForm(start: TaskStart, onSaved: (taskID: number) => void) {
  const work = useTaskWork()
  const [draft, setDraft] = useState(start.draft)
  const [step, setStep] = useState(0)
  const [tried, setTried] = useState(false)
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [saved, setSaved] = useState(false)
  const [failure, setFailure] = useState<ErrorView>()
  const { productID, taskType } = draft
  const model = useQuery({ ...modelQuery(productID), enabled: productID !== '' && taskType !== TaskType.config }).data
  const productName = useQuery({ ...productQuery(productID), enabled: productID !== '' }).data?.productName ?? ''
  const reach = useReach(draft)

  const change = useCallback((patch: Partial<TaskDraft>) => {
    setDraft((before) => ({ ...before, ...patch }))
    setTyped('')
    setFailure(undefined)
  }, [])
  const faults = allFaults(draft, model, draft.targetType === TaskTarget.devices ? (reach.reach?.unknown ?? []) : [])
  const goTo = (next: number) => {
    setStep(next)
    setTried(false)
    setFailure(undefined)
  }
  const action =
    taskType === TaskType.action && model
      ? callableOf(model).find(({ identifier }) => identifier === draft.actionID)
      : undefined
  const count = reach.reach && reached(reach.reach, draft.onlineOnly)
  const why = count === undefined ? undefined : whyTyped(count, action)
  const mayGo = count !== undefined && (why === undefined || typed === String(count))

  const next = () => {
    // Faults of earlier steps come back when a later choice (another product) made them wrong.
    const at = firstFaultyStep(faults)
    if (at === undefined || at > step) goTo(step + 1)
    else if (at < step) {
      goTo(at)
      setTried(true)
    } else setTried(true)
  }
  const save = async (): Promise<number> => {
    const body = bodyOf(draft)
    if (!start.edited) return (await work.create(body)).taskID
    await work.update({ ...body, ...start.edited })
    return start.edited.taskID
  }
  const submit = async () => {
    const at = firstFaultyStep(faults)
    if (at !== undefined) {
      goTo(at)
      setTried(true)
      return
    }
    setBusy(true)
    setFailure(undefined)
    try {
      const taskID = await save()
      setSaved(true)
      onSaved(taskID)
    } catch (error) {
      const view = describeError(error)
      // The step of the refused field is where it is put right; the sentence stays in the footer.
      if (view.field) goTo(stepOfField(view.field.split('.')[0] ?? ''))
      setFailure(view)
    } finally {
      setBusy(false)
    }
  }
  const dirty = !saved && JSON.stringify(draft) !== JSON.stringify(start.draft)
  return {
    draft,
    change,
    step,
    goTo,
    next,
    submit,
    busy,
    failure,
    dirty,
    model,
    productName,
    reach,
    why,
    mayGo,
    typed,
    setTyped,
    faults: tried ? faultsOfStep(faults, step) : noFaults,
  }
}
