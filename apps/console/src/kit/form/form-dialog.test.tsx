// @vitest-environment happy-dom
import { Input } from 'antd'
import { act, useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod'
import { hasDraft } from '#kit/leave-guard.tsx'
import { clear, control, fill, press, show, words } from '../testing/show.tsx'
import { Field } from './field.tsx'
import type { FormDialogProps, StaleEdit } from './form-contract.ts'
import { FormDrawer } from './form-drawer.tsx'
import { FormModal } from './form-modal.tsx'

const schema = z.object({ name: z.string().trim().min(2).max(5), note: z.string().optional() })

/** As the request layer gives it: a refusal that names its field. */
const refusal = (message: string, field?: string) =>
  Object.assign(new Error(message), { code: 1, httpStatus: 400, field })

afterEach(clear)

interface Sample extends Partial<Pick<FormDialogProps<typeof schema>, 'onSubmit' | 'readOnly' | 'done' | 'stale'>> {
  kind?: typeof FormModal
}

function Sample({ kind: Kind = FormModal, onSubmit = async () => undefined, ...more }: Sample) {
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
        {...more}
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

test('that it worked is said once it did', async () => {
  let fails = true
  const onSubmit = async () => {
    if (fails) throw refusal('数据库错误')
  }
  show(<Sample onSubmit={onSubmit} done="创建成功" />)
  await fill('名称*', '水泵')
  await press('保存')
  await expect.poll(words).toContain('数据库错误')
  expect(words()).not.toContain('创建成功')
  fails = false
  await press('保存')
  await expect.poll(words).toContain('已关闭')
  await expect.poll(words).toContain('创建成功')
})

test('a record that others change is sent with the revision that its guard knows, and has its button below', async () => {
  const sent: number[] = []
  const bound: unknown[] = []
  const stale: StaleEdit = {
    guard: (save) => save(8),
    action: <span>刷新</span>,
    bind: (form) => bound.push(form),
  }
  show(<Sample stale={stale} onSubmit={async (_values, { rev }) => sent.push(rev)} />)
  await fill('名称*', '水泵')
  expect(document.querySelector('.form-footer')?.textContent).toContain('刷新')
  expect(bound.length).toBeGreaterThan(0)
  await press('保存')
  await expect.poll(words).toContain('已关闭')
  expect(sent).toEqual([8])
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
