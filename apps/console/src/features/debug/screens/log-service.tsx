import { Tabs } from 'antd'
import { useMemo } from 'react'
import * as z from 'zod'
import { DevicePicker } from '#blocks/device-picker.tsx'
import { CloudLogs } from '#blocks/log-table/cloud-logs.tsx'
import { hubLogFields } from '#blocks/log-table/hub-log-filters.ts'
import { HubLogList } from '#blocks/log-table/hub-log-list.tsx'
import type { HubLogFilters, LogScope } from '#blocks/log-table/log-query.ts'
import { SdkLogList } from '#blocks/log-table/sdk-log-list.tsx'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { readFilters } from '#kit/list-page/filter-values.ts'
import { PageHeading } from '#kit/list-page/page-heading.tsx'
import { useListState } from '#kit/list-page/use-list-state.ts'
import { StateBlock } from '#kit/states/state-block.tsx'
import { useUrlState } from '#kit/url-state.ts'
import { usePhone } from '#kit/use-phone.ts'
import '../parts/debug.css'
import { JsonExport } from '../parts/json-export.tsx'
import { SavedQueriesButton } from '../parts/saved-queries-button.tsx'
import { VolumeChart } from '../parts/volume-chart.tsx'

const fields = hubLogFields()
const tabs = ['hub', 'cloud', 'local'] as const
const tabLabels: Record<(typeof tabs)[number], string> = {
  hub: '云端诊断日志',
  cloud: '设备云端日志',
  local: '设备本地日志',
}
/** Names of devices hold no comma, so one parameter carries several. */
const state = z.object({ tab: z.enum(tabs), productID: z.string(), devices: z.string(), page: z.string() })
const start = { tab: 'hub' as const, productID: '', devices: '', page: '' }
/** Another scope or tab begins at its first page; the filters stay. */
const first = { page: '' }
const mostDevices = 50

/** Diagnosis over many devices, with its volume over time. */
function Diagnosis({ scope }: { scope: LogScope }) {
  const phone = usePhone()
  const [{ filters: texts }, setList] = useListState(fields, '', undefined)
  const filters = useMemo(() => readFilters(fields, texts) as HubLogFilters, [texts])
  return (
    <>
      <section className="list-card volume" aria-label="日志数量分布">
        <VolumeChart
          scope={scope}
          filters={filters}
          onZoom={(from, to) => setList({ filters: { ...texts, time: `${from}~${to - 1}` }, page: 1 })}
        />
      </section>
      <HubLogList
        title="云端诊断日志"
        scope={scope}
        storageKey="log-service"
        toolbarExtra={!phone && <JsonExport scope={scope} filters={filters} />}
        empty={{ title: '这段时间没有日志', text: '设备连接、上报和平台下发的每条消息都会记录在这里。' }}
      />
    </>
  )
}

/** spec 2 /operationsMonitorings/logService/index; screens.md 19. */
export function LogService() {
  const [{ tab, productID, devices }, set] = useUrlState(state, start)
  const scope = useMemo<LogScope>(
    () => ({
      ...(productID && { productID }),
      deviceNames: devices ? devices.split(',').slice(0, mostDevices) : [],
    }),
    [productID, devices],
  )
  const panes = {
    hub: <Diagnosis scope={scope} />,
    cloud: <CloudLogs scope={scope} />,
    local: productID ? (
      <SdkLogList
        productID={productID}
        deviceNames={scope.deviceNames ?? []}
        empty={{ title: '这段时间没有本地日志', text: '在设备信息里打开本地日志后，设备会上报达到所选级别的日志。' }}
      />
    ) : (
      <section className="list-card">
        <StateBlock variant="empty" title="选择一个产品" text="本地日志按产品查询，不选设备则搜索产品下的全部设备。" />
      </section>
    ),
  }
  return (
    <>
      <PageHeading
        title="日志服务"
        extra={<SavedQueriesButton />}
        subtitle={
          <span className="debug-target inline-row wrap gap-8">
            <span>
              <ProductPicker
                aria-label="产品"
                placeholder="全部产品"
                value={productID || undefined}
                onChange={(value) => set({ ...first, productID: value, devices: '' })}
              />
            </span>
            <span>
              <DevicePicker
                aria-label="设备"
                multiple
                placeholder={productID ? '全部设备' : '先选择产品'}
                productID={productID || undefined}
                value={[...(scope.deviceNames ?? [])]}
                onChange={(names) => set({ ...first, devices: names.slice(0, mostDevices).join(',') })}
              />
            </span>
          </span>
        }
      />
      <Tabs
        activeKey={tab}
        destroyOnHidden
        onChange={(key) => set({ ...first, tab: tabs.find((one) => one === key) })}
        items={tabs.map((key) => ({ key, label: tabLabels[key], children: key === tab ? panes[key] : null }))}
      />
    </>
  )
}
