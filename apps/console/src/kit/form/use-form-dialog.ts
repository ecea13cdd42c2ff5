import { t } from '@ithings/contract/text.ts'
import { App, Form, type FormInstance } from 'antd'
import { useId, useRef, useState } from 'react'
import type * as z from 'zod'
import type { DraftProps } from '#kit/leave-guard.tsx'
import { describeError, type ErrorView } from '#kit/states/describe-error.ts'
import { useMemo } from '#language/use-memo.ts'
import type { FormDialogProps } from './form-contract.ts'
import { checkAll } from './schema-rules.ts'

const keysOf = (path: string) => path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))

/** Shows the text at the deepest field of the path that is on the form: an issue inside a list belongs to its row. */
function refuseField(form: FormInstance, labels: ReadonlyMap<string, string>, path: (string | number)[], text: string) {
  for (let depth = path.length; depth > 0; depth--) {
    const at = path.slice(0, depth)
    if (form.getFieldInstance(at) === undefined && !labels.has(at.join('.'))) continue
    form.setFields([{ name: at, errors: [text] }])
    return true
  }
  return false
}

/** Everything a form dialog does besides drawing: check, submit once, show refusals in place, guard the draft. */
export function useFormDialog<S extends z.ZodObject>(props: FormDialogProps<S>) {
  const { schema, initialValues, onSubmit, onClose, open, stale, readOnly = false } = props
  const { message } = App.useApp()
  const [form] = Form.useForm()
  stale?.bind(form)
  const name = useId()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ErrorView>()
  const [problems, setProblems] = useState(0)
  const [dirty, setDirty] = useState(false)
  const labels = useMemo(() => new Map<string, string>(), [])
  const released = useRef(false)

  const countProblems = () => setProblems(form.getFieldsError().filter((field) => field.errors.length > 0).length)

  const refuse = (path: (string | number)[], text: string) => refuseField(form, labels, path, text)

  const submit = async (alternative = false) => {
    if (busy) return
    setFailure(undefined)
    const checked = checkAll(schema, { ...initialValues, ...form.getFieldsValue(true) }, labels)
    if ('problems' in checked) {
      const homeless = checked.problems.filter((problem) => !refuse(problem.path, problem.text))
      if (homeless[0]) setFailure({ kind: 'error', reason: homeless.map((problem) => problem.text).join(t('；')) })
      countProblems()
      return
    }
    setBusy(true)
    released.current = true
    try {
      const save = (rev: number) => onSubmit(checked.data, { alternative, rev })
      await (stale ? stale.guard(save) : save(0))
      if (props.done) void message.success(props.done)
      setDirty(false)
      onClose()
    } catch (error) {
      released.current = false
      const view = describeError(error)
      const sent = view.field ? keysOf(view.field) : []
      // A form may be flatter than what it sends.
      const path = [sent, sent.slice(1)].find((at) => refuse(at, view.reason))
      if (path) form.scrollToField(path, { block: 'center', focus: true })
      else setFailure(view)
      countProblems()
    } finally {
      setBusy(false)
    }
  }

  const submitAlternative = () => form.validateFields().then(() => submit(true), countProblems)

  const changed = (change: Record<string, unknown>, all: Record<string, unknown>) => {
    const before = (initialValues ?? {}) as Record<string, unknown>
    const same = Object.keys(all).every((key) => isSame(all[key], before[key]))
    setDirty(!same)
    released.current = false
    props.onValuesChange?.(change, all, form)
  }

  const draft: DraftProps = {
    open,
    onClose,
    unsaved: dirty && !readOnly && t('已填写的内容还没有保存，离开后将丢失。'),
    unsavedOnClose: t('已填写的内容还没有保存，关闭后将丢失。'),
    busy,
    released,
  }
  return {
    form,
    name,
    busy,
    failure,
    problems,
    dirty,
    draft,
    labels,
    // The parts that draw the form do not care which schema it has.
    props: props as unknown as FormDialogProps<z.ZodObject>,
    submit,
    submitAlternative,
    changed,
    countProblems,
  }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? '') === JSON.stringify(b ?? '')

export type FormDialog = ReturnType<typeof useFormDialog>
