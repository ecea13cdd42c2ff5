import { DeleteOutlined } from '@ant-design/icons'
import { createSchema, deleteSchema, type SchemaItem, updateSchema } from '@ithings/contract/features/thing-model.ts'
import { t } from '@ithings/contract/text.ts'
import { FunctionTag } from '@ithings/contract/thing-model/affordance.ts'
import { FunctionType } from '@ithings/contract/thing-model/model.ts'
import { App, Button } from 'antd'
import { useEffect, useState } from 'react'
import { focusFirstField } from '#kit/first-field.ts'
import { DialogFooter } from '#kit/form/dialog-footer.tsx'
import { useSessionKey } from '#kit/form/use-session-key.ts'
import { ActButton, useMay } from '#kit/rights.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { toItem } from '../function-draft.ts'
import { addWords, deleteWords, editWords } from '../function-words.ts'
import { postFunction, putFunction, useModelChanged } from '../queries.ts'
import { ReferenceNote, useReferenceCheck } from '../references.tsx'
import { isTypeChange } from '../type-change.ts'
import { EditorContext } from './edit-field.tsx'
import { FunctionFields } from './function-fields.tsx'
import { SampleCard } from './sample-card.tsx'
import { type FunctionTask, useFunctionForm } from './use-function-form.ts'

interface FunctionDrawerProps {
  productID: string
  task: FunctionTask | undefined
  /** Identifiers in use, with their names. */
  taken: ReadonlyMap<string, string>
  onClose: () => void
  onDelete: (item: SchemaItem) => void
}

export function FunctionDrawer(props: FunctionDrawerProps) {
  const key = useSessionKey(props.task !== undefined)
  return <Panel key={key} {...props} />
}

/** What is typed, and its way to the server. */
function useFunctionWork({ productID, task, taken, onClose }: FunctionDrawerProps) {
  const may = useMay()
  const { message } = App.useApp()
  const changed = useModelChanged(productID)
  const checkReferences = useReferenceCheck(productID)
  // What it was opened for stays while the drawer slides out.
  const [shown] = useState(task)
  const stored = shown?.kind === 'edit' ? shown.item : undefined
  const [others] = useState(() => new Map([...taken].filter(([identifier]) => identifier !== stored?.identifier)))
  const [added, setAdded] = useState<ReadonlyMap<string, string>>(new Map())
  const form = useFunctionForm(shown, added.size > 0 ? added : others)
  const [busy, setBusy] = useState(false)
  const { draft } = form
  const writable = may(stored ? updateSchema : createSchema)

  const send = async () => {
    const item = { ...toItem(draft), productID }
    setBusy(true)
    try {
      if (stored) await putFunction({ ...item, tag: stored.tag as FunctionTag })
      else await postFunction({ ...item, tag: FunctionTag.custom })
      void message.success(stored ? t('更新成功') : t('创建成功'))
      void changed()
      return true
    } catch (error) {
      form.refuse(error)
      return false
    } finally {
      setBusy(false)
    }
  }

  // The next one begins where the first did, as soon as its fields are free again.
  useEffect(() => {
    if (added.size > 0) focusFirstField()
  }, [added])

  const save = async (andThen: 'close' | 'next') => {
    if (busy || !writable || !form.check()) return
    if (stored && isTypeChange(stored, draft)) {
      const agreed = await checkReferences({
        identifier: draft.identifier,
        title: t('改变「{name}」的数据类型？', { name: draft.name }),
        consequence: t('类型改变后，按旧类型保存的历史数据不再显示，并随保存期限清除。'),
        okText: t('改变类型并保存'),
      })
      if (!agreed) return
    }
    if (!(await send())) return
    if (andThen === 'close') return onClose()
    setAdded(new Map([...others, ...added, [draft.identifier, draft.name]]))
    form.restart(draft.type)
  }
  return { stored, form, busy, writable, save }
}

type FunctionWork = ReturnType<typeof useFunctionWork>

function Panel(props: FunctionDrawerProps) {
  const { productID, task, onClose, onDelete } = props
  const work = useFunctionWork(props)
  const { stored, form, busy, writable, save } = work
  const { draft } = form
  const open = task !== undefined
  return (
    <SideDrawer
      title={
        <span className="row gap-12">
          {t((stored ? editWords : addWords)[draft.type])}
          {form.dirty && (
            <span className="form-dirty small regular line-20 warning-text pad-x-8 round-4">{t('未保存')}</span>
          )}
        </span>
      }
      width={560}
      open={open}
      onClose={onClose}
      ofTab
      unsaved={open && form.dirty && t('功能定义还没有保存，离开后已填写的内容将丢失。')}
      unsavedOnClose={t('已填写的内容还没有保存，关闭后将丢失。')}
      busy={busy}
      afterOpenChange={focusFirstField}
      footer={(close) => <Footer work={work} onCancel={close} onDelete={onDelete} />}
    >
      <EditorContext value={{ issueAt: form.issueAt, idOf: form.idOf, disabled: busy || !writable }}>
        <form
          className="function-form column gap-20"
          onSubmit={(event) => {
            event.preventDefault()
            void save('close')
          }}
        >
          <FunctionFields
            draft={draft}
            onChange={form.change}
            stored={stored !== undefined}
            typeNote={
              stored?.type === FunctionType.property && (
                <ReferenceNote productID={productID} identifier={stored.identifier} />
              )
            }
          />
          {form.preview && (
            <div className={form.previewStale ? 'sample-stale' : ''}>
              <SampleCard part={form.preview} productID={productID} />
            </div>
          )}
          <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
        </form>
      </EditorContext>
    </SideDrawer>
  )
}

interface FooterProps extends Pick<FunctionDrawerProps, 'onDelete'> {
  work: FunctionWork
  onCancel: () => void
}

function Footer({ work: { stored, form, busy, writable, save }, onCancel, onDelete }: FooterProps) {
  const phone = usePhone()
  const next = (
    <Button type="text" disabled={busy} onClick={() => void save('next')}>
      {phone ? t('存并继续') : t('保存并继续新增')}
    </Button>
  )
  const remove = stored && stored.tag !== FunctionTag.required && (
    <ActButton
      needs={deleteSchema}
      type="text"
      icon={<DeleteOutlined />}
      disabled={busy}
      onClick={() => onDelete(stored)}
    >
      {phone ? t('删除') : t(deleteWords[form.draft.type])}
    </ActButton>
  )
  return (
    <DialogFooter failure={form.failure} problems={form.problems} left={stored ? remove : next}>
      <Button onClick={onCancel} disabled={busy}>
        {t('取消')}
      </Button>
      {writable && (
        <Button type="primary" loading={busy} onClick={() => void save('close')}>
          {t('保存')}
        </Button>
      )}
    </DialogFooter>
  )
}
