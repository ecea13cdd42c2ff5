import type { ListOrder, ListPaging, ListResult } from '#kit/list-page/list-contract.ts'
import type { TimeChoice } from '#kit/time-choice.ts'

export interface Sample {
  id: string
  name: string
  code: string
  kind: 1 | 2 | 3
  state: 1 | 2 | 3 | 9
  note: string
  createdTime: string
  children?: Sample[]
}

export interface SampleFilters {
  name?: string
  kind?: number
  state?: number
  code?: string
  created?: TimeChoice
}

export const kinds = [
  { label: '甲类', value: 1 },
  { label: '乙类', value: 2 },
  { label: '丙类', value: 3 },
]

export const states = {
  1: { text: '正常', tone: 'success' },
  2: { text: '异常', tone: 'error' },
  3: { text: '未开始', tone: 'warning', ring: true },
} as const

const names = ['预制泵站', '智能电表', '边缘网关', '温湿度探头', '冷链追踪器', '远传水表', '空调机组控制器']
const base = 1_750_000_000

export const makeSamples = (count: number): Sample[] =>
  Array.from({ length: count }, (_, at) => ({
    id: String(at + 1),
    name: `${names[at % names.length]} ${at + 1}`,
    code: `PS3kQ8${String(at + 1).padStart(5, '0')}`,
    kind: ([1, 2, 3] as const)[at % 3] ?? 1,
    state: at === 9 ? 9 : (([1, 1, 2, 1, 3] as const)[at % 5] ?? 1),
    note: at % 4 === 0 ? '=1+1，值守人员每天早晚各巡检一次，发现异常及时上报' : at % 4 === 1 ? '' : '室外安装',
    createdTime: String(base - at * 86_400 * 3),
  }))

/** An error shaped like those of the request layer. */
export class SampleError extends Error {
  code: number
  httpStatus: number
  requestID = '9c1e47d2a8b04f63'
  field?: string

  constructor(message: string, code: number, httpStatus: number, field?: string) {
    super(message)
    this.code = code
    this.httpStatus = httpStatus
    if (field) this.field = field
  }
}

const compare = (a: Sample, b: Sample, { field, sort }: ListOrder) => {
  const value = (row: Sample) => (field === 'createdTime' ? Number(row.createdTime) : row.name)
  const [x, y] = [value(a), value(b)]
  const way = x < y ? -1 : x > y ? 1 : 0
  return sort === 1 ? way : -way
}

/** What a list endpoint does: filter, sort, clamp the page, cut. */
export function listSamples(all: readonly Sample[], filters: SampleFilters, page: ListPaging): ListResult<Sample> {
  const order = page.orders?.[0]
  const found = all
    .filter((row) => !filters.name || row.name.includes(filters.name))
    .filter((row) => !filters.code || row.code.includes(filters.code))
    .filter((row) => filters.kind === undefined || row.kind === filters.kind)
    .filter((row) => filters.state === undefined || row.state === filters.state)
  const sorted = order ? found.toSorted((a, b) => compare(a, b, order)) : found
  const pages = Math.max(1, Math.ceil(sorted.length / page.size))
  const at = (Math.min(page.page, pages) - 1) * page.size
  return { list: sorted.slice(at, at + page.size), total: sorted.length }
}
