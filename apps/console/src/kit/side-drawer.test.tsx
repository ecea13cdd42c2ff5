// @vitest-environment happy-dom
import { Button } from 'antd'
import { act, useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { hasDraft } from './leave-guard.tsx'
import { SideDrawer } from './side-drawer.tsx'
import { clear, press, show, words } from './testing/show.tsx'

afterEach(clear)

interface Sample {
  unsaved?: string | false
  busy?: boolean
  ofTab?: boolean
}

function Sample(props: Sample) {
  const [open, setOpen] = useState(true)
  return (
    <>
      <span>{open ? '开着' : '已关闭'}</span>
      <SideDrawer
        title="水泵的排列"
        width={400}
        open={open}
        onClose={() => setOpen(false)}
        unsavedOnClose="关闭后顺序会丢失"
        footer={(close) => <Button onClick={close}>取消</Button>}
        {...props}
      >
        一号泵在前
      </SideDrawer>
    </>
  )
}

const unsaved = '离开后顺序会丢失'
const question = () => document.querySelector('.ant-modal-confirm')
const cross = () => document.querySelector<HTMLElement>('.ant-drawer-close')
const pressEscape = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))

/** The guard is there, and the router knows it. */
async function guarded(): Promise<void> {
  await expect.poll(hasDraft).toBe(true)
  await act(async () => undefined)
}

test('a drawer with nothing unsaved closes without a question', async () => {
  show(<Sample unsaved={false} />)
  await expect.poll(words).toContain('一号泵在前')
  expect(hasDraft()).toBe(false)
  cross()?.click()
  await expect.poll(words).toContain('已关闭')
  expect(question()).toBeNull()
})

test.each([
  ['its button', () => press('取消')],
  ['its cross', async () => cross()?.click()],
  ['Escape', async () => void pressEscape()],
  ['a click beside it', async () => document.querySelector<HTMLElement>('.ant-drawer-mask')?.click()],
])('with something unsaved %s asks in the words for closing, and giving it up closes', async (_name, leave) => {
  show(<Sample unsaved={unsaved} />)
  await guarded()
  await leave()
  await expect.poll(() => question()?.textContent).toContain('关闭后顺序会丢失')
  expect(words()).not.toContain(unsaved)
  expect(words()).toContain('开着')
  await press('放弃修改')
  await expect.poll(words).toContain('已关闭')
  await expect.poll(hasDraft).toBe(false)
})

test('who keeps editing has the drawer as it was, and is asked again the next time', async () => {
  show(<Sample unsaved={unsaved} />)
  await guarded()
  await press('取消')
  await press('继续编辑')
  await expect.poll(question).toBeNull()
  expect(words()).toContain('一号泵在前')
  expect(words()).toContain('开着')
  await press('取消')
  await expect.poll(question).not.toBeNull()
})

test('closing twice asks once', async () => {
  show(<Sample unsaved={unsaved} />)
  await guarded()
  await press('取消')
  await press('取消')
  await expect.poll(question).not.toBeNull()
  expect(document.querySelectorAll('.ant-modal-confirm')).toHaveLength(1)
})

test('while something runs in it no way closes it, and nothing is asked', async () => {
  show(<Sample unsaved={unsaved} busy />)
  await guarded()
  await press('取消')
  cross()?.click()
  pressEscape()
  await act(async () => undefined)
  expect(words()).toContain('开着')
  expect(question()).toBeNull()
})

test('Back asks before it takes the drawer away, although the page stays', async () => {
  const { router, place } = show(<Sample unsaved={unsaved} />, '/pumps')
  await router.navigate('/pumps?page=2')
  await guarded()
  void router.navigate(-1)
  await expect.poll(() => question()?.textContent).toContain(unsaved)
  expect(place()).toBe('/pumps?page=2')
  await press('放弃修改')
  await expect.poll(place).toBe('/pumps')
})

test.each([
  ['asks', true],
  ['asks nothing', false],
])('another tab of the page %s when what is unsaved belongs to the tab: %s', async (_name, ofTab) => {
  const { router, place } = show(<Sample unsaved={unsaved} ofTab={ofTab} />, '/pumps?tab=order')
  await guarded()
  void router.navigate('/pumps?tab=log')
  if (ofTab) {
    await press('继续编辑')
    expect(place()).toBe('/pumps?tab=order')
  } else {
    await expect.poll(place).toBe('/pumps?tab=log')
    expect(question()).toBeNull()
  }
})

test('the browser asks before a window with something unsaved is closed, and does not otherwise', async () => {
  const closing = () => {
    const event = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(event)
    return event.defaultPrevented
  }
  show(<Sample unsaved={unsaved} />)
  await guarded()
  expect(closing()).toBe(true)
  await press('取消')
  await press('放弃修改')
  await expect.poll(hasDraft).toBe(false)
  expect(closing()).toBe(false)
})
