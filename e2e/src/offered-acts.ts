/** What a page offers to do: its usable buttons, switches and links, and what opens below them. */
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { BusinessType, HttpMethod } from '@ithings/contract/endpoint.ts'
import { listMenus } from '@ithings/contract/features/menus.ts'
import { createRole, updateRoleApis, updateRoleMenus } from '@ithings/contract/features/roles.ts'
import { createUser } from '@ithings/contract/features/users.ts'
import type { Page } from 'playwright-core'
import type { Caller } from './api.ts'
import type { Account } from './program.ts'

/** Somebody whose role has every menu entry and every query. */
export async function makeReader(call: Caller, { account, password }: Account): Promise<void> {
  const { id } = await call(createRole, { name: '只读' })
  await call(updateRoleMenus, { id, menuID: (await call(listMenus, {})).list.map((menu) => menu.id) })
  const queries = allEndpoints.filter((one) => one.access === 'role' && one.businessType === BusinessType.query)
  await call(updateRoleApis, {
    roleID: id,
    list: queries.map(({ path }) => ({ route: path, method: HttpMethod.post })),
  })
  await call(createUser, { userName: account, password, role: id })
}

const room = ':is(main, .ant-drawer, .ant-modal, .ant-popover)'
const menu = '.ant-dropdown:not(.ant-dropdown-hidden)'
const usable = [
  `${room} :is(button:enabled, a[href])`,
  `${room} :is(input:enabled:not([type=radio], .ant-table *), textarea:enabled:not([readonly]), [contenteditable=true])`,
  `${menu} [role=menuitem]:not([aria-disabled=true])`,
].join()
const layers = '.ant-drawer, .ant-modal'
/** Of lists: they choose what is shown. */
const filters = 'form[aria-label$=查询条件] *, .ant-pagination *'

/** What stands on each; a field or switch is called by its label. */
const namesOf = (page: Page): Promise<string[]> =>
  page.locator(usable).evaluateAll((all, apart) => {
    const shown = all.filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(apart))
    return shown.map((one) => {
      const label = one.getAttribute('aria-label')
      if (one.matches('a, [role=menuitem], button:not([role=switch])')) return label ?? one.textContent ?? ''
      const other = (one as HTMLInputElement).labels?.[0]?.textContent || one.getAttribute('placeholder')
      return `field ${label || other || one.outerHTML}`
    })
  }, filters)

/** What the shown page offers, also behind its menus and once a row is ticked. */
export async function actsOf(page: Page): Promise<string[]> {
  const found = await namesOf(page)
  const box = page.locator(`${room} tbody .ant-table-selection-column input[type=checkbox]:enabled`).first()
  if ((await box.count()) > 0) {
    await box.check()
    const more = await namesOf(page)
    const news = more.filter((name) => name !== '取消选择' && !found.includes(name))
    found.push(...(news.length > 0 ? news : ['check boxes of rows that nothing can be done with']))
    await box.uncheck()
  }
  // What lies under a drawer or a dialog cannot be clicked.
  const isCovered = (await page.locator(layers).filter({ visible: true }).count()) > 0
  const reach = isCovered ? `:is(${layers}, .ant-popover)` : room
  // Of a chart the kinds of file lie behind one, and no act.
  const triggers = page
    .locator(`${reach} button.ant-dropdown-trigger:enabled:not([aria-label^="导出「"])`)
    .filter({ visible: true })
  const inRows = triggers.and(page.locator('tr *'))
  for (const trigger of [
    ...(await triggers.and(page.locator(':not(tr *)')).all()),
    ...(await inRows.all()).slice(0, 1),
  ]) {
    await trigger.click()
    await page.locator(`${menu} [role=menuitem]`).first().waitFor()
    found.push(...(await namesOf(page)))
    await page.keyboard.press('Escape')
    await page.locator(menu).waitFor({ state: 'hidden' })
  }
  return [...new Set(found)]
}

const acts =
  /新增|创建|添加|编辑|修改|删除|移除|移出|启用|禁用|停用|保存|发布|发送|下发|导入|执行|重试|取消|处理|认领|忽略|绑|生成|更换|轮换|密钥|公钥|上传|升级|测试|调用|读取|模拟|批量|复制产品|设置|加入|放行|跳过|继续|办结|^恢复|^check boxes|^field /
/** What is called like an act and is none. */
const harmless = [
  /^(列设置|取消选择)$/, // of the own view
  /记录$|^固件升级( \d+)?$/, // lead to lists
  /^导出「.*」$/, // make a file of what a chart shows
  /^(已启用|未升级|升级中|已升级|已取消|升级成功)\d|新增(告警)? \d|个场景启用$|^有未处理告警$/, // count, and lead to what is counted
  /^field (搜索\S*|关键字|名称或标识符|类别|产品|设备|设备名称|声音|实时|含子分组|选择\S+|换属性)$/, // choose what is shown
  /^field (样例设备|回测范围)$/, // of trials, which change nothing
]

/** Those that change something, of what `actsOf` found. */
export const changesAmong = (names: readonly string[]): string[] =>
  names.filter((name) => acts.test(name) && !harmless.some((one) => one.test(name)))
