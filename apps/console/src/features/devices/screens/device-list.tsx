import { DownloadOutlined, DownOutlined, PlusOutlined } from '@ant-design/icons'
import { exportDevices, importDevices, multiCreateDevices } from '@ithings/contract/features/devices/bulk.ts'
import { countDevices, createDevice, type Device, listDevices } from '@ithings/contract/features/devices/info.ts'
import { deviceTopic } from '@ithings/contract/features/live.ts'
import { useQuery } from '@tanstack/react-query'
import { App, Button, Dropdown, Tooltip } from 'antd'
import { lazy, Suspense, useMemo } from 'react'
import { useLivePolling, useLiveRows } from '#api/live.ts'
import { chosenOf, useOpenForm } from '#blocks/chosen-devices.ts'
import { readFilters } from '#kit/list-page/filter-values.ts'
import type { ListPaging } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { parseSort, useListState } from '#kit/list-page/use-list-state.ts'
import { May, useHeld } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { usePhone } from '#kit/use-phone.ts'
import { deviceKeyOf } from '../labels.ts'
import { deviceColumns } from '../parts/list/device-columns.tsx'
import { deviceCounters } from '../parts/list/device-counters.tsx'
import { type DeviceFilters, deviceFields, deviceFilterBody } from '../parts/list/device-filters.tsx'
import { bulkNeeds, type SelectionAct, SelectionActions } from '../parts/list/selection-actions.tsx'
import { useDeviceActions } from '../parts/list/use-device-actions.tsx'
import { useDeviceDialog } from '../parts/list/use-device-dialog.ts'
import { useFilterWords } from '../parts/list/use-filter-words.ts'
import { useOpenAlarms } from '../parts/open-alarms.tsx'
import { deviceCountQuery, devicesQuery, keyOf, useExportDevices } from '../queries.ts'

const DeviceDialogs = lazy(async () => ({ default: (await import('../parts/list/device-dialogs.tsx')).DeviceDialogs }))

const query = ({ page, filters }: { page: ListPaging; filters: DeviceFilters }) =>
  devicesQuery({ ...deviceFilterBody(filters), page })

const rowQueries = [[listDevices.path], [countDevices.path]]
const liveQueries = { presence: rowQueries, info: rowQueries }
const noRows: [] = []

/** Names only: what the fields offer depends on the rows, and the rows depend on the URL. */
const plainFields = deviceFields({ suggestions: [] })

/** The filters in the URL, the rows they give (the list reads the same ones) and the counts beside them. */
function useFiltered() {
  const [{ page, size, sort, filters: texts }] = useListState(plainFields, '', undefined)
  const filters = useMemo(() => readFilters(plainFields, texts) as DeviceFilters, [texts])
  const orders = parseSort(sort)
  const rows = useQuery({ ...query({ page: { page, size, ...(orders && { orders }) }, filters }), enabled: false })
  const { status: _, ...rest } = filters
  const pace = useLivePolling()
  const count = useQuery({
    ...deviceCountQuery(deviceFilterBody(rest)),
    placeholderData: (before) => before,
    refetchInterval: pace,
  })
  const devices = rows.data?.list ?? noRows
  useLiveRows(devices.map(deviceTopic), liveQueries)
  const alarms = useOpenAlarms(devices)
  const suggestions = useMemo(() => devices.flatMap((device) => device.tags), [devices])
  return { filters, suggestions, alarms, pace, count: count.data?.deviceCount }
}

export function DeviceList() {
  const phone = usePhone()
  const { message, modal } = App.useApp()
  const held = useHeld()
  const { filters, suggestions, alarms, pace, count } = useFiltered()
  const { dialog, open, session, show, close } = useDeviceDialog()
  const { productName, groupName } = useFilterWords(filters)
  const fields = useMemo(
    () => deviceFields({ suggestions, productName, groupName }),
    [suggestions, productName, groupName],
  )
  const columns = useMemo(() => deviceColumns(phone, alarms), [phone, alarms])
  const actions = useDeviceActions((device) => show({ kind: 'edit', device }))
  const exporting = useExportDevices()
  const openForm = useOpenForm()

  const startExport = async (devices?: readonly Device[]) => {
    try {
      const body = devices ? { list: devices.map(keyOf) } : deviceFilterBody(filters)
      const { jobID } = await exporting.mutateAsync(body)
      show({ kind: 'export-job', jobID })
    } catch (error) {
      modal.error({ title: '导出失败', content: describeError(error).reason })
    }
  }
  const begin = (act: SelectionAct, devices: readonly Device[], clear: () => void, all: boolean) => {
    const filter = all ? deviceFilterBody(filters) : undefined
    if (act === 'export') void startExport(all ? undefined : devices)
    else if (act === 'command' || act === 'upgrade') {
      const chosen = chosenOf(devices, filter)
      if (chosen) openForm(act, chosen)
      else void message.warning('指令和固件属于产品：请只选择同一产品的设备')
    } else show({ kind: 'bulk', bulk: act, devices, filter, clear })
  }
  const { productID } = filters
  const create = (
    <May needs={createDevice}>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => show({ kind: 'create', productID })}>
        新增设备
      </Button>
    </May>
  )
  const manyItems = held([
    {
      key: 'batch',
      label: '批量新增',
      needs: multiCreateDevices,
      onClick: (): void => show({ kind: 'batch', productID }),
    },
    { key: 'import', label: '导入设备', needs: importDevices, onClick: (): void => show({ kind: 'import' }) },
    { key: 'export', label: '导出当前筛选结果', needs: exportDevices, onClick: (): void => void startExport() },
  ])
  const many = manyItems.length > 0 && (
    <Dropdown trigger={['click']} menu={{ items: manyItems }}>
      <Button>
        批量操作 <DownOutlined />
      </Button>
    </Dropdown>
  )
  return (
    <>
      <ListPage<Device, DeviceFilters>
        title="设备"
        extra={
          <>
            {many}
            {create}
          </>
        }
        counters={deviceCounters(count, phone)}
        filters={fields}
        columns={columns}
        rowKey={deviceKeyOf}
        storageKey="devices"
        query={(input) => ({ ...query(input), refetchInterval: pace })}
        rowActions={actions}
        toolbarExtra={
          <May needs={exportDevices}>
            <Tooltip title="导出当前筛选结果">
              <Button
                type="text"
                icon={<DownloadOutlined />}
                aria-label="导出"
                loading={exporting.isPending}
                onClick={() => void startExport()}
              />
            </Tooltip>
          </May>
        }
        selection={{
          unit: '台',
          needs: bulkNeeds,
          byFilter: true,
          actions: (devices, clear, all) => (
            <SelectionActions
              withoutProduct={all && productID === undefined}
              onPick={(act) => begin(act, devices, clear, all)}
            />
          ),
        }}
        empty={{
          title: '还没有设备',
          text: '设备属于一个产品。可以逐台新增、按前缀批量新增，或从 CSV 文件导入。',
          action: create,
        }}
      />
      {dialog && (
        <Suspense>
          <DeviceDialogs dialog={dialog} open={open} session={session} onClose={close} onShow={show} />
        </Suspense>
      )}
    </>
  )
}
