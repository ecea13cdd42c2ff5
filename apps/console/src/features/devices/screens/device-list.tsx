import { DownOutlined } from '@ant-design/icons'
import { exportDevices, importDevices, multiCreateDevices } from '@ithings/contract/features/devices/bulk.ts'
import { countDevices, createDevice, type Device, listDevices } from '@ithings/contract/features/devices/info.ts'
import type { TableFormat } from '@ithings/contract/features/jobs.ts'
import { deviceTopic } from '@ithings/contract/features/live.ts'
import { listProducts } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { App, Button, Dropdown } from 'antd'
import { lazy, Suspense } from 'react'
import { call } from '#api/call.ts'
import { useLivePolling, useLiveRows } from '#api/live.ts'
import { chosenOf, useOpenForm } from '#blocks/chosen-devices.ts'
import { deviceKeyOf } from '#blocks/device/labels.ts'
import { useOpenAlarms } from '#blocks/device/open-alarms.tsx'
import { deviceCountQuery, devicesQuery, keyOf, useExportDevices } from '#blocks/device/queries.ts'
import { useDeviceActions } from '#blocks/device/use-device-actions.tsx'
import { allGroupsQuery } from '#blocks/groups-query.ts'
import { ExportButton } from '#kit/export-button.tsx'
import { readFilters } from '#kit/list-page/filter-values.ts'
import type { ListPaging } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { parseSort, useListState } from '#kit/list-page/use-list-state.ts'
import { May, useHeld } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { usePhone } from '#kit/use-phone.ts'
import { useMemo } from '#language/use-memo.ts'
import { deviceColumns } from '../parts/device-columns.tsx'
import { deviceCounters } from '../parts/device-counters.tsx'
import { type DeviceFilters, deviceFields, deviceFilterBody, readGroupChoice } from '../parts/device-filters.tsx'
import { bulkNeeds, type SelectionAct, SelectionActions } from '../parts/selection-actions.tsx'
import { useDeviceDialog } from '../parts/use-device-dialog.ts'

const DeviceDialogs = lazy(async () => ({ default: (await import('../parts/device-dialogs.tsx')).DeviceDialogs }))

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

/** Names of the product and the group that the URL holds by number. */
function useFilterWords({ productID, group }: DeviceFilters) {
  const products = useQuery({
    queryKey: [listProducts.path, 'name-of', productID],
    queryFn: ({ signal }) => call(listProducts, { productIDs: [productID ?? ''] }, { quiet: true, signal }),
    enabled: productID !== undefined,
  })
  const choice = readGroupChoice(group)
  const groups = useQuery({ ...allGroupsQuery, enabled: choice !== undefined })
  const groupName = groups.data?.find((one) => one.groupID === choice?.groupID)?.groupName
  return {
    productName: products.data?.list[0]?.productName,
    groupName: groupName && (choice?.includeChildren ? t('{name}（含子分组）', { name: groupName }) : groupName),
  }
}

type Show = ReturnType<typeof useDeviceDialog>['show']

/** Starts the job that writes the file; without devices it is about all that the filter finds. */
function useFileExport(filters: DeviceFilters, show: Show) {
  const { modal } = App.useApp()
  const exporting = useExportDevices()
  const run = async (format: TableFormat, devices?: readonly Device[]) => {
    try {
      const body = devices ? { list: devices.map(keyOf) } : deviceFilterBody(filters)
      const { jobID } = await exporting.mutateAsync({ ...body, format })
      show({ kind: 'export-job', jobID })
    } catch (error) {
      modal.error({ title: t('导出失败'), content: describeError(error).reason })
    }
  }
  return {
    start: (format: TableFormat, devices?: readonly Device[]) => void run(format, devices),
    starting: exporting.isPending,
  }
}

/** What a button of the selection begins: a file, a form of another screen or a dialog of this one. */
function useSelectionActs(
  filters: DeviceFilters,
  show: Show,
  startExport: (format: TableFormat, devices?: readonly Device[]) => void,
) {
  const { message } = App.useApp()
  const openForm = useOpenForm()
  return (act: SelectionAct, devices: readonly Device[], clear: () => void, all: boolean) => {
    const filter = all ? deviceFilterBody(filters) : undefined
    if (act === 'export') return startExport('csv', all ? undefined : devices)
    if (act !== 'command' && act !== 'upgrade') return show({ kind: 'bulk', bulk: act, devices, filter, clear })
    const chosen = chosenOf(devices, filter)
    if (chosen) openForm(act, chosen)
    else void message.warning(t('指令和固件属于产品：请只选择同一产品的设备'))
  }
}

interface ManyButtonProps {
  productID: string | undefined
  show: Show
  onExport: () => void
}

function ManyButton({ productID, show, onExport }: ManyButtonProps) {
  const items = useHeld()([
    {
      key: 'batch',
      label: t('批量新增'),
      needs: multiCreateDevices,
      onClick: (): void => show({ kind: 'batch', productID }),
    },
    { key: 'import', label: t('导入设备'), needs: importDevices, onClick: (): void => show({ kind: 'import' }) },
    { key: 'export', label: t('导出当前筛选结果'), needs: exportDevices, onClick: onExport },
  ])
  if (items.length === 0) return null
  return (
    <Dropdown trigger={['click']} menu={{ items }}>
      <Button>
        {t('批量操作')} <DownOutlined />
      </Button>
    </Dropdown>
  )
}

export function DeviceList() {
  const phone = usePhone()
  const { filters, suggestions, alarms, pace, count } = useFiltered()
  const { productID } = filters
  const { about: dialog, open, session, show, close } = useDeviceDialog()
  const { productName, groupName } = useFilterWords(filters)
  const fields = useMemo(
    () => deviceFields({ suggestions, productName, groupName }),
    [suggestions, productName, groupName],
  )
  const columns = useMemo(() => deviceColumns(phone, alarms), [phone, alarms])
  const actions = useDeviceActions((device) => show({ kind: 'edit', device }))
  const file = useFileExport(filters, show)
  const begin = useSelectionActs(filters, show, file.start)
  return (
    <>
      <ListPage<Device, DeviceFilters>
        title={t('设备', { context: 'many' })}
        create={{ text: t('新增设备'), needs: createDevice, onClick: () => show({ kind: 'create', productID }) }}
        extra={<ManyButton productID={productID} show={show} onExport={() => file.start('csv')} />}
        counters={deviceCounters(count, phone)}
        filters={fields}
        columns={columns}
        rowKey={deviceKeyOf}
        storageKey="devices"
        query={(input) => ({ ...query(input), refetchInterval: pace })}
        rowActions={actions}
        toolbarExtra={
          <May needs={exportDevices}>
            <ExportButton type="text" loading={file.starting} onPick={(format) => file.start(format)} />
          </May>
        }
        selection={{
          unit: t('台'),
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
          title: t('还没有设备'),
          text: t('设备属于一个产品。可以逐台新增、按前缀批量新增，或从 CSV 文件导入。'),
        }}
      />
      {dialog && (
        <Suspense>
          <DeviceDialogs key={session} dialog={dialog} open={open} onClose={close} onShow={show} />
        </Suspense>
      )}
    </>
  )
}
