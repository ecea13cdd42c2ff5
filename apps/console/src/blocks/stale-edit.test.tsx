// @vitest-environment happy-dom
import { errors } from '@ithings/contract/errors.ts'
import { Input } from 'antd'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod'
import { Field } from '#kit/form/field.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import { clear, field, fill, press, show, words } from '#kit/testing/show.tsx'
import { useStaleEdit } from './stale-edit.tsx'

afterEach(clear)

const schema = z.object({ name: z.string().min(1), note: z.string().optional() })
type Pump = z.output<typeof schema> & { rev: number }

/** The record of the server: only who knows its revision may save it. */
function pumpOnServer(now: Pump) {
  const server = { now, broken: false }
  return {
    server,
    read: async () => {
      if (server.broken) throw new Error('服务没有响应')
      return server.now
    },
    save: async (values: z.output<typeof schema>, rev: number) => {
      const { code, msg } = errors.staleEdit
      if (rev !== server.now.rev) throw Object.assign(new Error(msg), { code, httpStatus: 400 })
      server.now = { ...values, rev: rev + 1 }
    },
  }
}

/** Opened when the record was at revision 1. */
function Sample({ read, save }: Omit<ReturnType<typeof pumpOnServer>, 'server'>) {
  const [open, setOpen] = useState(true)
  const stale = useStaleEdit(1, read)
  return (
    <>
      <span>{open ? '开着' : '已关闭'}</span>
      <FormDrawer
        title="编辑水泵"
        open={open}
        onClose={() => setOpen(false)}
        schema={schema}
        initialValues={{ name: '一号泵', note: '旧备注' }}
        stale={stale}
        onSubmit={(values, { rev }) => save(values, rev)}
      >
        <Field name="name" label="名称">
          <Input />
        </Field>
        <Field name="note" label="备注">
          <Input />
        </Field>
      </FormDrawer>
    </>
  )
}

test('a record that nobody else changed is saved without a word about it', async () => {
  const { server, ...pump } = pumpOnServer({ name: '一号泵', note: '旧备注', rev: 1 })
  show(<Sample {...pump} />)
  await fill('名称*', '主泵')
  expect(words()).not.toContain('刷新')
  await press('保存')
  await expect.poll(words).toContain('已关闭')
  expect(server.now).toEqual({ name: '主泵', note: '旧备注', rev: 2 })
})

test('who edits what others changed is told so, loads it anew without losing what was typed, and saves', async () => {
  const { server, ...pump } = pumpOnServer({ name: '备用泵', note: '新备注', rev: 5 })
  show(<Sample {...pump} />)
  await fill('名称*', '主泵')
  await press('保存')
  await expect.poll(words).toContain('数据已被他人修改')
  expect(server.now.name).toBe('备用泵')
  await press('刷新')
  await expect.poll(words).toContain('已载入最新内容')
  expect((await field('名称*')).value).toBe('主泵')
  expect((await field('备注')).value).toBe('新备注')
  expect(words()).toContain('开着')
  await press('保存')
  await expect.poll(words).toContain('已关闭')
  expect(server.now).toEqual({ name: '主泵', note: '新备注', rev: 6 })
})

test('when it cannot be loaded anew the reason is there and it can be tried again', async () => {
  const { server, ...pump } = pumpOnServer({ name: '备用泵', note: '新备注', rev: 5 })
  show(<Sample {...pump} />)
  await fill('名称*', '主泵')
  await press('保存')
  server.broken = true
  await press('刷新')
  await expect.poll(words).toContain('服务没有响应')
  expect((await field('名称*')).value).toBe('主泵')
  server.broken = false
  await press('刷新')
  await expect.poll(words).toContain('已载入最新内容')
  expect(words()).not.toContain('服务没有响应')
})

test('who changes it once more meanwhile is told of, too', async () => {
  const { server, ...pump } = pumpOnServer({ name: '备用泵', note: '新备注', rev: 5 })
  show(<Sample {...pump} />)
  await fill('名称*', '主泵')
  await press('保存')
  await press('刷新')
  await expect.poll(words).toContain('已载入最新内容')
  server.now = { ...server.now, rev: 6 }
  await press('保存')
  await expect.poll(words).toContain('数据已被他人修改')
  await press('刷新')
  await expect.poll(words).toContain('已载入最新内容')
  await press('保存')
  await expect.poll(words).toContain('已关闭')
  expect(server.now).toEqual({ name: '主泵', note: '新备注', rev: 7 })
})
