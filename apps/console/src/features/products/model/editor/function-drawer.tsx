import { DeleteOutlined } from '@ant-design/icons'
import {
  createSchema,
  deleteSchema,
  type SchemaItem,
  updateSchema,
} from '@ithings/contract/features/products/schema.ts'
import { FunctionTag } from '@ithings/contract/thing-model/affordance.ts'
import { FunctionType, functionTypeLabels } from '@ithings/contract/thing-model/model.ts'
import { Alert, App, Button, Drawer } from 'antd'
import { useEffect, useState } from 'react'
import '#kit/form/form.css'
import { Copyable } from '#kit/copyable.tsx'
import { focusFirstField } from '#kit/first-field.ts'
import { useSessionKey } from '#kit/form/use-session-key.ts'
import { LeaveGuard, useAskDiscard } from '#kit/leave-guard.tsx'
import { May, useMay } from '#kit/rights.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { toItem } from '../function-draft.ts'
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

const titleOf = (task: FunctionTask | undefined, type: FunctionType): string =>
  `${task?.kind === 'edit' ? '编辑' : '新增'}${functionTypeLabels[type]}`

function Panel({ productID, task, taken, onClose, onDelete }: FunctionDrawerProps) {
  const may = useMay()
  const phone = usePhone()
  const { message } = App.useApp()
  const ask = useAskDiscard()
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
  const dirty = form.dirty && task !== undefined

  const send = async () => {
    const item = { ...toItem(draft), productID }
    setBusy(true)
    try {
      if (stored) await putFunction({ ...item, tag: stored.tag as FunctionTag })
      else await postFunction({ ...item, tag: FunctionTag.custom })
      void message.success(stored ? '更新成功' : '创建成功')
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

  const writable = may(stored ? updateSchema : createSchema)

  const save = async (andThen: 'close' | 'next') => {
    if (busy || !writable || !form.check()) return
    if (stored && isTypeChange(stored, draft)) {
      const agreed = await checkReferences({
        identifier: draft.identifier,
        title: `改变「${draft.name}」的数据类型？`,
        consequence: '类型改变后，按旧类型保存的历史数据不再显示，并随保存期限清除。',
        okText: '改变类型并保存',
      })
      if (!agreed) return
    }
    if (!(await send())) return
    if (andThen === 'close') return onClose()
    setAdded(new Map([...others, ...added, [draft.identifier, draft.name]]))
    form.restart(draft.type)
  }

  const close = () => {
    if (busy) return
    if (!dirty) return onClose()
    ask('已填写的内容还没有保存，关闭后将丢失。', onClose)
  }

  return (
    <Drawer
      title={
        <span className="row gap-12">
          {titleOf(shown, draft.type)}
          {form.dirty && <span className="form-dirty">未保存</span>}
        </span>
      }
      open={task !== undefined}
      onClose={close}
      afterOpenChange={focusFirstField}
      size={phone ? '100%' : 560}
      rootClassName={phone ? 'form-drawer form-drawer-phone' : 'form-drawer'}
      destroyOnHidden
      closable={{ placement: 'end' }}
      footer={
        <div className="form-footer">
          {form.failure && (
            <Alert
              type="error"
              showIcon
              title={form.failure.reason}
              {...(form.failure.requestID && {
                description: (
                  <>
                    请求编号 <Copyable text={form.failure.requestID} />
                  </>
                ),
              })}
            />
          )}
          <div className="form-buttons">
            <div className="form-footer-extra">
              {stored && stored.tag !== FunctionTag.required && (
                <May needs={deleteSchema}>
                  <Button type="text" icon={<DeleteOutlined />} disabled={busy} onClick={() => onDelete(stored)}>
                    {phone ? '删除' : `删除${functionTypeLabels[draft.type]}`}
                  </Button>
                </May>
              )}
              {!stored && (
                <Button type="text" disabled={busy} onClick={() => void save('next')}>
                  {phone ? '存并继续' : '保存并继续新增'}
                </Button>
              )}
            </div>
            {form.problems > 0 && (
              <span className="form-problems" role="status">
                {form.problems} 处待修正
              </span>
            )}
            <Button onClick={close} disabled={busy}>
              取消
            </Button>
            <May needs={stored ? updateSchema : createSchema}>
              <Button type="primary" loading={busy} onClick={() => void save('close')}>
                保存
              </Button>
            </May>
          </div>
        </div>
      }
    >
      <LeaveGuard ofTab ofDialog dirty={dirty} text="功能定义还没有保存，离开后已填写的内容将丢失。" />
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
    </Drawer>
  )
}
