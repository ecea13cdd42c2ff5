import { DeleteOutlined, PlusOutlined, TagOutlined } from '@ant-design/icons'
import { queryOptions } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { useMemo, useState } from 'react'
import { useParams } from 'react-router'
import { Copyable } from '#kit/copyable.tsx'
import type { FilterField, ListColumn, ListPaging } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import {
  kinds,
  listSamples,
  makeSamples,
  type Sample,
  SampleError,
  type SampleFilters,
  states,
} from './sample-server.ts'

const filters: FilterField[] = [
  { name: 'name', label: '名称', control: 'text', placeholder: '输入名称' },
  { name: 'kind', label: '类型', control: 'select', options: kinds },
  {
    name: 'state',
    label: '状态',
    control: 'select',
    options: Object.entries(states).map(([value, look]) => ({ label: look.text, value: Number(value) })),
  },
  { name: 'code', label: '编号', control: 'text', advanced: true },
  { name: 'created', label: '创建时间', control: 'date-range', advanced: true },
]

const kindText = (row: Sample) => kinds.find((kind) => kind.value === row.kind)?.label

const columns: ListColumn<Sample>[] = [
  { key: 'name', title: '名称', dataIndex: 'name', hideable: false, sorter: true, phone: 'title' },
  {
    key: 'code',
    title: '编号',
    dataIndex: 'code',
    phone: 'subtitle',
    render: (_value, row) => <Copyable text={row.code} />,
  },
  { key: 'kind', title: '类型', phone: 'meta', render: (_value, row) => kindText(row), exportText: kindText },
  {
    key: 'state',
    title: '状态',
    phone: 'status',
    render: (_value, row) => <StatusTag looks={states} value={row.state} />,
    exportText: (row) => row.state,
  },
  { key: 'note', title: '备注', dataIndex: 'note', truncate: 220 },
  { key: 'createdTime', title: '创建时间', sorter: true, phone: 'meta', time: 'exact' },
  { key: 'id', title: '内部序号', dataIndex: 'id', hiddenAtFirst: true },
]

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

function answer(mode: string, calls: number): Sample[] {
  if (mode === 'error') throw new SampleError('服务 30 秒内没有响应', 100016, 504)
  if (mode === 'error-once' && calls === 1) throw new SampleError('服务 30 秒内没有响应', 100016, 504)
  if (mode === 'forbidden') throw new SampleError('权限不足', 100012, 403)
  if (mode === 'offline') throw new SampleError('无法连接服务器', 0, 0)
  if (mode === 'stale' && calls > 1) throw new SampleError('服务 30 秒内没有响应', 100016, 504)
  return mode === 'empty' ? [] : makeSamples(96)
}

/** `#/list/:mode` shows the list page in the named state. */
export function ListSample() {
  const { mode = 'ok' } = useParams()
  const { message } = App.useApp()
  const [calls] = useState({ count: 0 })
  const tree = mode === 'tree'
  const counts = useMemo(() => {
    const all = makeSamples(96)
    return (state?: number) => all.filter((row) => state === undefined || row.state === state).length
  }, [])
  const query = ({ page, filters: given }: { page: ListPaging; filters: SampleFilters }) =>
    queryOptions({
      queryKey: ['samples', mode, page, given],
      queryFn: async () => {
        calls.count += 1
        await wait(mode === 'slow' ? 60_000 : 30)
        const all = answer(mode, calls.count)
        if (tree) return { list: asTree(all.slice(0, 12)), total: 12 }
        return listSamples(all, given, page)
      },
      retry: false,
    })
  return (
    <ListPage<Sample, SampleFilters>
      key={mode}
      title="条目"
      subtitle="一句话说明这一页"
      extra={
        <Button type="primary" icon={<PlusOutlined />}>
          新增条目
        </Button>
      }
      {...(mode === 'counters' && {
        counters: [
          { key: 'all', label: '全部', value: counts(), filter: {} },
          { key: '1', label: '正常', value: counts(1), tone: 'success', hint: '60%', filter: { state: '1' } },
          { key: '2', label: '异常', value: counts(2), tone: 'error', filter: { state: '2' } },
          { key: '3', label: '未开始', value: counts(3), tone: 'warning', ring: true, filter: { state: '3' } },
        ],
      })}
      filters={filters}
      columns={columns}
      rowKey="id"
      storageKey="gallery"
      query={query}
      exportName="条目"
      tree={tree}
      index={!tree}
      empty={{
        title: '还没有条目',
        text: '条目归属于类型。新增一个，或用 CSV 一次导入最多 1000 个。',
        action: (
          <Button type="primary" icon={<PlusOutlined />}>
            新增条目
          </Button>
        ),
      }}
      selection={{
        actions: (rows, clear) => (
          <>
            <Button type="text" icon={<TagOutlined />} onClick={() => void message.info(`标签 ${rows.length}`)}>
              设置标签
            </Button>
            <Button type="text" icon={<DeleteOutlined />} onClick={clear}>
              删除
            </Button>
          </>
        ),
      }}
      rowActions={(row) => [
        { key: 'view', label: '查看', onClick: () => void message.info(`查看 ${row.name}`) },
        { key: 'edit', label: '编辑', onClick: () => void message.info(`编辑 ${row.name}`) },
        { key: 'copy', label: '复制', onClick: () => void message.info(`复制 ${row.name}`) },
        { key: 'delete', label: '删除', danger: true, onClick: () => void message.info(`删除 ${row.name}`) },
      ]}
    />
  )
}

const asTree = (rows: readonly Sample[]): Sample[] =>
  rows.slice(0, 4).map((row, at) => ({ ...row, children: rows.slice(4 + at * 2, 6 + at * 2) }))
