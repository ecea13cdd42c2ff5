import {
  CommandKind,
  type CommandRow,
  CommandState,
  commandKindLabels,
  commandStateLabels,
  listCommands,
} from '@ithings/contract/features/commands.ts'
import type { Device } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { CommandDetail, commandColumns } from '#blocks/command-history/command-columns.tsx'
import { keyOf } from '#blocks/device/queries.ts'
import type { FilterField, ListPaging } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { useMemo } from '#language/use-memo.ts'
import { rangeOfText, timeField } from './time-field.tsx'

interface CommandFilters {
  kind?: CommandKind
  state?: CommandState
  clientToken?: string
  time?: string
}

const options = <T extends number>(values: readonly T[], labels: Readonly<Record<T, string>>) =>
  values.map((value) => ({ value, label: labels[value] }))

const filtersOf = (days: number): FilterField[] => [
  {
    name: 'kind',
    label: t('类型'),
    control: 'select',
    options: options(Object.values(CommandKind), commandKindLabels),
    width: 140,
  },
  {
    name: 'state',
    label: t('结果'),
    control: 'select',
    options: options(Object.values(CommandState), commandStateLabels),
    width: 120,
  },
  { name: 'clientToken', label: t('请求编号'), control: 'text', width: 200 },
  timeField(days),
]

function commandRowsQuery(device: Device, page: ListPaging, { time, ...filters }: CommandFilters) {
  return queryOptions({
    queryKey: [listCommands.path, { ...keyOf(device), ...filters, time, page }],
    queryFn: ({ signal }) =>
      call(listCommands, { ...keyOf(device), ...filters, ...rangeOfText(time), page }, { signal }),
  })
}

/** screens.md 6.2: who sent what, when, what came back and how long it took; filtered and paged by the server. */
export function CommandTable({ device, model, valueDays }: { device: Device; model: ThingModel; valueDays: number }) {
  const filters = useMemo(() => filtersOf(valueDays), [valueDays])
  const columns = useMemo(() => commandColumns(model), [model])
  return (
    <ListPage<CommandRow, CommandFilters>
      embedded
      title={t('指令记录')}
      urlPrefix="c"
      storageKey="device-commands"
      filters={filters}
      columns={columns}
      rowKey="clientToken"
      query={({ page, filters: wanted }) => commandRowsQuery(device, page, wanted)}
      exportName={t('{deviceName}-指令', { deviceName: device.deviceName })}
      expandable={{ expandedRowRender: (row) => <CommandDetail row={row} /> }}
      empty={{
        title: t('这段时间没有下发过指令'),
        text: t('在「设备状态」里设置属性或调用行为后，记录会出现在这里。'),
      }}
    />
  )
}
