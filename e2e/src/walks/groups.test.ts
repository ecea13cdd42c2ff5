/** Groups in three levels: built, moved, filled in bulk, refused at the fourth level, deleted knowingly (screens.md 8). */
import { createDevice } from '@ithings/contract/features/devices/info.ts'
import { createGroup, listGroups } from '@ithings/contract/features/groups.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { dialog, row, submit, told } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { openPage, soon } from '#visit.ts'

let platform: Platform
let browser: Browser
let call: Caller

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
  const { productID } = await call(createProduct, { productName: '一体化预制泵站' })
  for (let n = 1; n <= 5; n++) await call(createDevice, { productID, deviceName: `PS-00${n}` })
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const tree = (page: Page) => page.getByRole('navigation', { name: '分组树' })
const node = (page: Page, name: string): Locator => tree(page).getByText(name, { exact: true })

/** Down to the other row and to the right, which a tree takes as "into it". */
async function drag(page: Page, name: string, onto: string) {
  const middle = async (text: string) => {
    const box = await node(page, text).boundingBox()
    if (!box) throw new Error(`${text} is not in sight`)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  const [from, to] = [await middle(name), await middle(onto)]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  // In steps, as a hand does: the tree decides by where the pointer was last.
  await page.mouse.move(to.x + 100, to.y - 4, { steps: 10 })
  await page.mouse.move(to.x + 120, to.y, { steps: 5 })
  await page.mouse.up()
}

async function create(page: Page, button: string, title: string, name: string) {
  await page.getByRole('button', { name: button }).first().click()
  const form = dialog(page, title)
  await form.getByLabel('分组名称').fill(name)
  await submit(form, '创建')
  await page.getByRole('heading', { name, level: 2, exact: true }).waitFor()
}

async function openNode(page: Page, name: string) {
  await node(page, name).click()
  await page.getByRole('heading', { name, level: 2, exact: true }).waitFor()
}

/** Name of each group's parent, as the platform has it. */
async function parents(): Promise<Record<string, string>> {
  const { listAll } = await call(listGroups, { page: { page: 1, size: 1 } })
  const names = new Map(listAll.map((group) => [group.groupID, group.groupName]))
  return Object.fromEntries(listAll.map((group) => [group.groupName, names.get(group.parentID) ?? '']))
}

test('a tree of three levels is built, a node moved, devices added in bulk, the fourth level refused, a branch deleted', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, '/deviceMangers/group/index')
  await create(page, '新增分组', '新增分组', '城区')
  await create(page, '新增子分组', '新增子分组', '朝阳区')
  await create(page, '新增子分组', '新增子分组', '朝阳北路')
  await create(page, '新增分组', '新增分组', '郊区')

  // The third level is the last one, in the pane, in the menu of the tree and by dragging.
  await openNode(page, '朝阳北路')
  const below = page.getByRole('button', { name: '新增子分组' }).first()
  expect(await below.isDisabled()).toBe(true)
  await below.hover({ force: true })
  await page.getByText('分组最多 3 层，放在「朝阳北路」下会有 4 层').first().waitFor()
  await drag(page, '城区', '郊区')
  await told(page, '分组最多 3 层，放在「郊区」下会有 4 层')

  await drag(page, '朝阳区', '郊区')
  await told(page, '「朝阳区」已移到「郊区」下')
  expect(await parents()).toEqual({ 城区: '', 郊区: '', 朝阳区: '郊区', 朝阳北路: '朝阳区' })

  await openNode(page, '朝阳北路')
  await page.getByRole('button', { name: '添加设备' }).first().click()
  const drawer = dialog(page, '添加设备到「朝阳北路」')
  for (const name of ['PS-001', 'PS-002', 'PS-003']) {
    await drawer
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('checkbox')
      .check()
  }
  await drawer.getByRole('button', { name: '加入分组' }).click()
  await told(page, '已加入 3 台设备')
  await page.getByRole('tab', { name: '设备 3' }).waitFor()
  await row(page, 'PS-003').waitFor()

  await openNode(page, '郊区')
  await page.getByRole('tab', { name: '设备 3' }).waitFor()
  await row(page, 'PS-001').waitFor()
  await soon(() => page.getByText('共 3 条').count()).toBe(1)
  await page.getByRole('switch', { name: '含子分组' }).click()
  await page.getByText('这个分组里还没有设备').waitFor()

  await page.getByRole('button', { name: '删除分组' }).click()
  const question = page.getByRole('dialog').filter({ hasText: '删除分组「郊区」？' })
  await question.getByText('它的 2 个子分组一起删除：「朝阳区」「朝阳北路」。').waitFor()
  await question.getByText('3 台设备将离开这些分组').waitFor()
  await question.getByRole('button', { name: '删除', exact: true }).click()
  await node(page, '郊区').waitFor({ state: 'detached' })
  expect(await parents()).toEqual({ 城区: '' })

  // More than the tree has room for: the new one is in sight.
  for (let n = 0; n < 24; n++) await call(createGroup, { groupName: `片区 ${n}` })
  await create(page, '新增分组', '新增分组', '最后的片区')
  const isInSight = (element: Element) => {
    const frame = element.closest('.groups-tree-body')
    const [own, around] = [element.getBoundingClientRect(), frame?.getBoundingClientRect()]
    return (
      frame && around && frame.scrollHeight > frame.clientHeight && own.top >= around.top && own.bottom <= around.bottom
    )
  }
  await soon(() => node(page, '最后的片区').evaluate(isInSight)).toBe(true)
})
