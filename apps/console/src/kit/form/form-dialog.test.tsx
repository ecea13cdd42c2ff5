// @vitest-environment happy-dom
import { Input } from 'antd'
import { act, useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod'
import { hasDraft } from '#kit/leave-guard.tsx'
import { clear, control, fill, press, show, words } from '../testing/show.tsx'
import { Field } from './field.tsx'
import { FormDrawer } from './form-drawer.tsx'
import { FormModal } from './form-modal.tsx'

const schema = z.object({ name: z.string().trim().min(2).max(5), note: z.string().optional() })

/** As the request layer gives it: a refusal that names its field. */
const refusal = (message: string, field?: string) =>
  Object.assign(new Error(message), { code: 1, httpStatus: 400, field })

afterEach(clear)

interface Sample {
  kind?: typeof FormModal
  onSubmit?: (values: z.output<typeof schema>) => Promise<unknown>
  readOnly?: boolean
}

function Sample({ kind: Kind = FormModal, onSubmit = async () => undefined, readOnly = false }: Sample) {
  const [open, setOpen] = useState(true)
  return (
    <>
      <span>{open ? '开着' : '已关闭'}</span>
      <Kind
        title="新增水泵"
        open={open}
        onClose={() => setOpen(false)}
        schema={schema}
        initialValues={{ name: '' }}
        onSubmit={onSubmit}
        readOnly={readOnly}
      >
        <Field name="name" label="名称">
          <Input />
        </Field>
        <Field name="note" label="备注">
          <Input />
        </Field>
      </Kind>
    </>
  )
}

test('the contract says what is wrong, in place, and nothing is sent', async () => {
  const sent: unknown[] = []
  show(<Sample onSubmit={async (values) => sent.push(values)} />)
  await control('label', '名称*')
  await press('保存')
  await expect.poll(words).toContain('名称不能为空')
  expect(words()).toContain('1 处待修正')
  await fill('名称*', '一二三四五六')
  await expect.poll(words).toContain('名称不能超过 5 个字符')
  expect(sent).toEqual([])
})

test('what is sent is what the contract makes of it, and the dialog closes', async () => {
  const sent: unknown[] = []
  show(<Sample onSubmit={async (values) => sent.push(values)} />)
  await fill('名称*', ' 水泵 ')
  await press('保存')
  await expect.poll(words).toContain('已关闭')
  expect(sent).toEqual([{ name: '水泵' }])
})

test('a refusal of the server stands at its field, one without a field above the buttons; both leave it open', async () => {
  let error = refusal('名称已存在', 'name')
  show(<Sample onSubmit={() => Promise.reject(error)} />)
  await fill('名称*', '水泵')
  await press('保存')
  await expect.poll(() => document.querySelector('.ant-form-item-explain-error')?.textContent).toBe('名称已存在')
  error = refusal('数据库错误')
  await fill('名称*', '水泵二')
  await press('保存')
  await expect.poll(() => document.querySelector('.form-footer .ant-alert')?.textContent).toContain('数据库错误')
  expect(words()).toContain('开着')
})

test.each([
  ['dialog', FormModal],
  ['drawer', FormDrawer],
])('a %s with something unsaved asks before it closes', async (_name, kind) => {
  show(<Sample kind={kind} />)
  await fill('名称*', '水泵')
  await press('取消')
  await press('继续编辑')
  expect(words()).toContain('开着')
  await press('取消')
  await press('放弃修改')
  await expect.poll(words).toContain('已关闭')
})

test('what was changed and changed back is not unsaved', async () => {
  show(<Sample kind={FormDrawer} />)
  await fill('名称*', '水泵')
  await expect.poll(words).toContain('未保存')
  await fill('名称*', '')
  await expect.poll(words).not.toContain('未保存')
  await press('取消')
  await expect.poll(words).toContain('已关闭')
})

/** The guard is there, and the router knows it. */
async function guarded(): Promise<void> {
  await expect.poll(hasDraft).toBe(true)
  await act(async () => undefined)
}

test('who would leave the page with something unsaved is asked and can stay', async () => {
  const { router, place } = show(<Sample />, '/pumps')
  await fill('名称*', '水泵')
  await guarded()
  void router.navigate('/elsewhere')
  await press('继续编辑')
  await expect.poll(() => [...router.state.blockers.values()].map(({ state }) => state)).toEqual(['unblocked'])
  expect(place()).toBe('/pumps')
})

test('who gives it up goes on to where he wanted', async () => {
  const { router, place } = show(<Sample />, '/pumps')
  await fill('名称*', '水泵')
  await guarded()
  void router.navigate('/elsewhere')
  await press('放弃修改')
  await expect.poll(place).toBe('/elsewhere')
})

test('a form that only shows has nothing to save and asks nothing', async () => {
  show(<Sample readOnly />)
  await press('关闭')
  await expect.poll(words).toContain('已关闭')
})
