import { App, Button, Input, InputNumber, Select } from 'antd'
import { useState } from 'react'
import * as z from 'zod'
import { useConfirm } from '#kit/confirm.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { kinds, SampleError } from './sample-server.ts'

const schema = z
  .object({
    id: z.string().optional(),
    name: z.string().trim().min(2).max(20),
    kind: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    low: z.number().min(0).max(100).optional(),
    high: z.number().min(0).max(100).optional(),
    note: z.string().max(40).optional(),
  })
  .refine((value) => value.low === undefined || value.high === undefined || value.low <= value.high, {
    path: ['high'],
    message: '不能小于下限',
  })

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** The sample's own server: refuses some names, so that both places for a refusal can be seen. */
async function save(name: string): Promise<void> {
  await wait(300)
  if (name === '重名') throw new SampleError('名称 重名 已存在，请换一个', 100010, 400, 'name')
  if (name === '故障') throw new SampleError('数据库错误', 100008, 400)
}

export function FormSamples() {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const [open, setOpen] = useState<'modal' | 'drawer' | 'read'>()
  const [saved, setSaved] = useState('')
  const close = () => setOpen(undefined)
  const dialog = {
    title: '新增条目',
    onClose: close,
    schema,
    initialValues: { id: '7', kind: 1 as const },
    onSubmit: async (values: z.output<typeof schema>) => {
      await save(values.name)
      setSaved(JSON.stringify(values))
      void message.success('创建成功')
    },
    children: (
      <>
        <Field name="name" label="名称">
          <Input placeholder="2 到 20 个字符" maxLength={24} />
        </Field>
        <Field name="kind" label="类型">
          <Select options={kinds} />
        </Field>
        <Field name="low" label="下限">
          <InputNumber style={{ width: '100%' }} />
        </Field>
        <Field name="high" label="上限" extra="不小于下限">
          <InputNumber style={{ width: '100%' }} />
        </Field>
        <Field name="note" label="备注">
          <Input.TextArea rows={3} />
        </Field>
      </>
    ),
  }
  const remove = (name: string, typed: boolean) =>
    confirm({
      title: `删除「${name}」？`,
      content: '它的 12 条记录会一起删除，且无法恢复。',
      danger: true,
      okText: '删除',
      ...(typed && { typeToConfirm: name }),
      onOk: async () => {
        await save(name)
        void message.success('删除成功')
      },
    })
  return (
    <section className="gallery-part">
      <h2>表单与确认</h2>
      <div className="gallery-row">
        <Button onClick={() => setOpen('modal')}>打开对话框</Button>
        <Button onClick={() => setOpen('drawer')}>打开抽屉</Button>
        <Button onClick={() => setOpen('read')}>只读抽屉</Button>
        <Button onClick={() => remove('泵站', false)}>删除泵站</Button>
        <Button onClick={() => remove('故障', false)}>删除故障</Button>
        <Button onClick={() => remove('泵站', true)}>输入名称删除</Button>
      </div>
      <output data-testid="saved">{saved}</output>
      <FormModal {...dialog} open={open === 'modal'} />
      <FormDrawer {...dialog} open={open === 'drawer'} />
      <FormDrawer {...dialog} open={open === 'read'} readOnly />
    </section>
  )
}
