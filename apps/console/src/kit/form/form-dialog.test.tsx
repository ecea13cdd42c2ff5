// @vitest-environment happy-dom
import { Input } from 'antd'
import { act, useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod'
import { hasDraft } from '#kit/leave-guard.tsx'
import { clear, control, field, fill, press, show, words } from '../testing/show.tsx'
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
      <button type="button" onClick={() => setOpen(true)}>
        再开一次
      </button>
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

const kinds = [
  ['dialog', FormModal],
  ['drawer', FormDrawer],
] as const

test.each(kinds)('a %s with something unsaved asks before it closes', async (_name, kind) => {
  show(<Sample kind={kind} />)
  await fill('名称*', '水泵')
  await press('取消')
  await press('继续编辑')
  expect(words()).toContain('开着')
  await press('取消')
  await press('放弃修改')
  await expect.poll(words).toContain('已关闭')
})

/** Something that ends when the test says so. */
const waiting = () => Promise.withResolvers<void>()
const saveButton = () => document.querySelector<HTMLButtonElement>('.form-buttons button[type=submit]')
const cross = () => document.querySelector<HTMLElement>('.form-modal .ant-modal-close, .ant-drawer-close')
const pressEscape = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))

test.each(kinds)('who keeps editing a %s finds what he typed', async (_name, kind) => {
  show(<Sample kind={kind} />)
  await fill('名称*', '水泵')
  await fill('备注', '二号泵房')
  await press('取消')
  await press('继续编辑')
  await expect.poll(() => document.querySelector('.ant-modal-confirm')).toBeNull()
  expect((await field('名称*')).value).toBe('水泵')
  expect((await field('备注')).value).toBe('二号泵房')
  expect(words()).toContain('开着')
})

test.each(kinds)('the cross of a %s asks before it closes, too, and each time', async (_name, kind) => {
  show(<Sample kind={kind} />)
  await fill('名称*', '水泵')
  cross()?.click()
  await expect.poll(words).toContain('关闭后将丢失')
  await press('继续编辑')
  await expect.poll(() => document.querySelector('.ant-modal-confirm')).toBeNull()
  cross()?.click()
  await press('放弃修改')
  await expect.poll(words).toContain('已关闭')
})

test.each(kinds)('Escape in a %s asks before it closes, too', async (_name, kind) => {
  show(<Sample kind={kind} />)
  await fill('名称*', '水泵')
  await expect.poll(hasDraft).toBe(true)
  pressEscape()
  await press('放弃修改')
  await expect.poll(words).toContain('已关闭')
})

test.each(kinds)('what was given up is not there when the %s is opened again', async (_name, kind) => {
  show(<Sample kind={kind} />)
  await fill('名称*', '水泵')
  await press('取消')
  await press('放弃修改')
  await expect.poll(words).toContain('已关闭')
  await press('再开一次')
  await expect.poll(async () => (await field('名称*')).value).toBe('')
  await press('取消')
  await expect.poll(words).toContain('已关闭')
})

test.each(kinds)(
  'while a %s is saved it is busy, sends once and cannot be closed; then it closes',
  async (_name, kind) => {
    const answer = waiting()
    let sent = 0
    const onSubmit = () => {
      sent += 1
      return answer.promise
    }
    show(<Sample kind={kind} onSubmit={onSubmit} />)
    await fill('名称*', '水泵')
    await press('保存')
    await expect.poll(() => saveButton()?.className).toContain('ant-btn-loading')
    expect(saveButton()?.disabled).toBe(true)
    expect((await control('button', '取消')).hasAttribute('disabled')).toBe(true)
    expect((await field('名称*')).disabled).toBe(true)
    saveButton()?.click()
    document.querySelector<HTMLElement>('.ant-modal-close, .ant-drawer-close')?.click()
    await act(async () => undefined)
    expect(words()).toContain('开着')
    expect(words()).not.toContain('放弃修改')
    answer.resolve()
    await expect.poll(words).toContain('已关闭')
    expect(sent).toBe(1)
  },
)

test('a refused save leaves what was typed, and the button works again', async () => {
  const answer = waiting()
  show(<Sample onSubmit={() => answer.promise} />)
  await fill('名称*', '水泵')
  await press('保存')
  await expect.poll(() => saveButton()?.disabled).toBe(true)
  answer.reject(refusal('名称已存在', 'name'))
  await expect.poll(words).toContain('名称已存在')
  await expect.poll(() => saveButton()?.disabled).toBe(false)
  expect((await field('名称*')).value).toBe('水泵')
  expect(words()).toContain('1 处待修正')
  await fill('名称*', '水泵二')
  await expect.poll(words).not.toContain('名称已存在')
})

test('who was refused is still asked before he closes', async () => {
  show(<Sample onSubmit={() => Promise.reject(refusal('数据库错误'))} />)
  await fill('名称*', '水泵')
  await press('保存')
  await expect.poll(words).toContain('数据库错误')
  await press('取消')
  await press('继续编辑')
  expect(words()).toContain('开着')
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
