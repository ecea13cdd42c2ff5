// @vitest-environment happy-dom
import { queryOptions } from '@tanstack/react-query'
import { Button } from 'antd'
import { afterEach, expect, test } from 'vitest'
import { ExportContext, type TableExport } from '#kit/exporting.ts'
import { RightsContext } from '#kit/rights.tsx'
import { clear, control, fill, press, show, words } from '../testing/show.tsx'
import type { ListPageProps, ListPaging } from './list-contract.ts'
import { ListPage } from './list-page.tsx'

interface Pump {
  id: string
  name: string
}

const pumps: Pump[] = Array.from({ length: 25 }, (_, at) => ({ id: String(at + 1), name: `泵 ${at + 1}` }))
const rowsShown = () =>
  [...document.querySelectorAll('tbody tr[data-row-key]')].map((row) => row.getAttribute('data-row-key'))

afterEach(clear)

/** The list of pumps, answered by `answer`; the pages it asked for are in `asked`. */
function showPumps(path = '/', more: Partial<ListPageProps<Pump, { name?: string }>> = {}, answer = () => pumps) {
  const asked: ListPaging[] = []
  const exported: TableExport[] = []
  const shown = show(
    <ExportContext value={(table) => exported.push(table)}>
      <ListPage<Pump, { name?: string }>
        title="水泵"
        filters={filters}
        columns={columns}
        rowKey="id"
        storageKey="pumps"
        empty={{ title: '还没有水泵' }}
        query={({ page, filters: { name = '' } }) =>
          queryOptions({
            queryKey: ['pumps', page, name],
            queryFn: async () => {
              asked.push(page)
              const found = answer().filter((pump) => pump.name.includes(name))
              return { list: found.slice((page.page - 1) * page.size, page.page * page.size), total: found.length }
            },
            retry: false,
          })
        }
        {...more}
      />
    </ExportContext>,
    path,
  )
  return { ...shown, asked, exported }
}
const filters = [{ name: 'name', label: '名称', control: 'text' as const }]
const columns = [{ key: 'name', title: '名称', dataIndex: 'name' as const, sorter: true }]

test('rows come by page, and the page stands in the address', async () => {
  const { place } = showPumps('/?size=10')
  await expect.poll(() => rowsShown().length).toBe(10)
  expect(words()).toContain('共 25 条')
  document.querySelector<HTMLElement>('.ant-pagination-item-3')?.click()
  await expect.poll(rowsShown).toEqual(['21', '22', '23', '24', '25'])
  expect(place()).toContain('page=3')
})

test('spec 5: a page beyond the last one is the last one', async () => {
  const { place } = showPumps('/?size=10&page=9')
  await expect.poll(() => rowsShown()[0]).toBe('21')
  expect(place()).toContain('page=3')
})

test('a filter is asked for with 查询, begins at the first page and goes with 重置', async () => {
  const { place } = showPumps('/?size=10&page=2')
  await expect.poll(() => rowsShown()[0]).toBe('11')
  await fill('名称', '泵 2')
  expect(rowsShown()[0]).toBe('11')
  await press('查询')
  await expect.poll(rowsShown).toEqual(['2', '20', '21', '22', '23', '24', '25'])
  expect(new URLSearchParams(place().split('?')[1]).get('name')).toBe('泵 2')
  expect(place()).not.toContain('page=')
  await press('重置')
  await expect.poll(() => rowsShown().length).toBe(10)
  expect(place()).not.toContain('name=')
})

test('the same filter once more asks the server again', async () => {
  const { asked } = showPumps()
  await expect.poll(() => rowsShown().length).toBeGreaterThan(0)
  await press('查询')
  await expect.poll(() => asked.length).toBe(2)
})

test('a head that is clicked sorts on the server', async () => {
  const { asked, place } = showPumps()
  await expect.poll(() => rowsShown().length).toBeGreaterThan(0)
  document.querySelector<HTMLElement>('th.ant-table-column-has-sorters')?.click()
  await expect.poll(() => asked.at(-1)?.orders).toEqual([{ field: 'name', sort: 1 }])
  expect(place()).toContain('sort=name.1')
})

test('rows are selected across pages, and an act gets them all', async () => {
  const seen: string[][] = []
  const actions = (rows: Pump[]) => <Button onClick={() => seen.push(rows.map(({ id }) => id))}>启动</Button>
  showPumps('/?size=10', { selection: { actions, label: ({ name }) => `选择 ${name}` } })
  ;(await control('input[type=checkbox]', '选择 泵 2')).click()
  await expect.poll(words).toContain('已选 1 项')
  document.querySelector<HTMLElement>('.ant-pagination-item-2')?.click()
  ;(await control('input[type=checkbox]', '选择 泵 12')).click()
  await expect.poll(words).toContain('已选 2 项')
  await press('启动')
  expect(seen).toEqual([['2', '12']])
  await press('取消选择')
  await expect.poll(words).not.toContain('已选')
})

test('nothing there is told apart from nothing found', async () => {
  showPumps('/', {}, () => [])
  await expect.poll(words).toContain('还没有水泵')
  clear()
  const { place } = showPumps('/?name=阀')
  await expect.poll(words).toContain('没有符合条件的结果')
  expect(words()).toContain('名称：阀')
  await press('清空筛选')
  await expect.poll(() => rowsShown().length).toBeGreaterThan(0)
  expect(place()).not.toContain('name=')
})

test('a failure says why and can be tried again', async () => {
  let broken = true
  showPumps('/', {}, () => {
    if (broken) throw new Error('服务没有响应')
    return pumps
  })
  await expect.poll(words).toContain('服务没有响应')
  broken = false
  await press('重试')
  await expect.poll(() => rowsShown().length).toBeGreaterThan(0)
})

test('rows stay with a banner when a later reading fails', async () => {
  let broken = false
  showPumps('/', {}, () => {
    if (broken) throw new Error('服务没有响应')
    return pumps
  })
  await expect.poll(() => rowsShown().length).toBeGreaterThan(0)
  broken = true
  await press('刷新')
  await expect.poll(() => document.querySelector('.stale-banner')).not.toBeNull()
  expect(rowsShown().length).toBeGreaterThan(0)
})

test('who may do nothing with a row has no column of acts', async () => {
  showPumps('/', { rowActions: () => [] })
  await expect.poll(() => rowsShown().length).toBeGreaterThan(0)
  expect(words()).not.toContain('操作')
})

test('what the filter finds is asked for as a file of the chosen kind, with the columns that are shown', async () => {
  const more = {
    exportName: '泵',
    columns: [
      ...columns,
      { key: 'id', title: '编号', labels: { 1: '一号' } },
      { key: 'createdTime', title: '时间', exportText: () => '' },
      { key: 'both', title: '合计', fields: { id: '甲', name: '乙' } },
    ],
  }
  const { asked, exported } = showPumps('/?name=泵+2&sort=name.2', more)
  await press('导出')
  ;(await control('[role="menuitem"]', 'Excel (XLSX)')).click()
  await expect.poll(() => exported.length).toBe(1)
  const [table] = exported
  expect(table).toMatchObject({
    title: '泵',
    format: 'xlsx',
    columns: [
      { key: 'name', head: '名称' },
      { key: 'id', head: '编号', labels: { 1: '一号' } },
      { key: 'id', head: '甲' },
      { key: 'name', head: '乙' },
    ],
  })
  const before = asked.length
  if (typeof table?.source !== 'function') throw new Error('the list gives no reading')
  await table.source()
  expect(asked.slice(before)).toEqual([{ page: 1, size: 1, orders: [{ field: 'name', sort: 2 }] }])
})

test('the button for a new one stands above the list, and in the middle while there is none', async () => {
  let made = 0
  const create = { text: '新增水泵', onClick: () => made++ }
  showPumps('/', { create, extra: <Button>导入</Button> }, () => [])
  await expect.poll(words).toContain('还没有水泵')
  const buttons = [...document.querySelectorAll('button')].filter((one) => one.textContent === '新增水泵')
  expect(buttons).toHaveLength(2)
  expect(document.querySelector('.page-extra')?.textContent).toBe('导入新增水泵')
  for (const one of buttons) one.click()
  expect(made).toBe(2)
})

test('who may not make a new one is not offered it', async () => {
  const create = { text: '新增水泵', needs: { path: '/pump/create' }, onClick: () => undefined }
  show(
    <RightsContext value={['/pump/create']}>
      <ListPage<Pump>
        title="水泵"
        columns={columns}
        rowKey="id"
        storageKey="pumps"
        create={create}
        empty={{ title: '还没有水泵' }}
        query={() => queryOptions({ queryKey: ['none'], queryFn: async () => ({ list: [] as Pump[], total: 0 }) })}
      />
    </RightsContext>,
  )
  await expect.poll(words).toContain('还没有水泵')
  expect(words()).not.toContain('新增水泵')
})
