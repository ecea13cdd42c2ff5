import { t } from '@ithings/contract/text.ts'
import { App, Button, Input, Space, Tabs } from 'antd'
import { useRef, useState } from 'react'
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
import { useMemo } from '#language/use-memo.ts'
import '#blocks/device-target.css'
import '../parts/log-service.css'
import { StarOutlined } from '@ant-design/icons'
import dayjs from 'dayjs'
import { useSearchParams } from 'react-router'
import { SavedList } from '#blocks/saved-list.tsx'
import { downloadText } from '#kit/download.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { VolumeChart } from '../parts/volume-chart.tsx'
import { readAll } from '../queries.ts'
import { dropQuery, readQueries, type SavedQuery, saveQuery, searchOf } from '../saved-queries.ts'

const maxName = 40

/** Keeps the search on screen under a name and brings kept ones back. */
function SavedQueriesButton() {
  const { message } = App.useApp()
  const [params, setParams] = useSearchParams()
  const [list, setList] = useState(() => readQueries())
  const [name, setName] = useState('')
  const keep = (change: () => SavedQuery[]) => {
    try {
      setList(change())
    } catch (error) {
      void message.error(describeError(error).reason)
    }
  }
  const save = () => {
    if (name.trim() === '') return
    keep(() => saveQuery({ name: name.trim(), search: searchOf(params) }))
    setName('')
  }
  const head = (
    <Space.Compact block>
      <Input
        aria-label={t('查询名称')}
        placeholder={t('给当前查询起个名字')}
        maxLength={maxName}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onPressEnter={save}
      />
      <Button disabled={name.trim() === ''} onClick={save}>
        {t('收藏', { context: 'verb' })}
      </Button>
    </Space.Compact>
  )
  return (
    <SavedList
      list={list}
      head={head}
      none={t('收藏产品、设备、时间和筛选条件，下次一键取回；只保存在这个浏览器里。')}
      onPick={({ search }) => setParams(new URLSearchParams(search))}
      onDrop={(query) => keep(() => dropQuery(query.name))}
    >
      <Button icon={<StarOutlined />}>{t('收藏的查询')}</Button>
    </SavedList>
  )
}

/** Beside the list's own CSV: for programs. A second click gives up. */
function JsonExport({ scope, filters }: { scope: LogScope; filters: HubLogFilters }) {
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const abort = useRef<AbortController>(null)
  const save = async () => {
    const control = new AbortController()
    abort.current = control
    setBusy(true)
    try {
      const rows = await readAll(scope, filters, control.signal)
      downloadText(JSON.stringify(rows, null, 2), t('日志-{time}.json', { time: dayjs().format('YYYYMMDD-HHmmss') }))
      void message.success(t('已导出 {count, number} 条', { count: rows.length }))
    } catch (error) {
      if (control.signal.aborted) void message.info(t('已取消导出'))
      else void message.error(t('导出失败：{reason}', { reason: describeError(error).reason }))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button type="text" size="small" onClick={() => (busy ? abort.current?.abort() : void save())}>
      {busy ? t('取消导出') : t('导出 JSON')}
    </Button>
  )
}

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
      <section className="list-card volume below-16" aria-label={t('日志数量分布')}>
        <VolumeChart
          scope={scope}
          filters={filters}
          onZoom={(from, to) => setList({ filters: { ...texts, time: `${from}~${to - 1}` }, page: 1 })}
        />
      </section>
      <HubLogList
        title={t('云端诊断日志')}
        scope={scope}
        storageKey="log-service"
        toolbarExtra={!phone && <JsonExport scope={scope} filters={filters} />}
        empty={{ title: t('这段时间没有日志'), text: t('设备连接、上报和平台下发的每条消息都会记录在这里。') }}
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
        empty={{
          title: t('这段时间没有本地日志'),
          text: t('在设备信息里打开本地日志后，设备会上报达到所选级别的日志。'),
        }}
      />
    ) : (
      <section className="list-card">
        <StateBlock
          variant="empty"
          title={t('选择一个产品')}
          text={t('本地日志按产品查询，不选设备则搜索产品下的全部设备。')}
        />
      </section>
    ),
  }
  return (
    <>
      <PageHeading
        title={t('日志服务')}
        extra={<SavedQueriesButton />}
        subtitle={
          <span className="device-target inline-row wrap gap-8">
            <span>
              <ProductPicker
                aria-label={t('产品')}
                placeholder={t('全部产品')}
                value={productID || undefined}
                onChange={(value) => set({ ...first, productID: value, devices: '' })}
              />
            </span>
            <span>
              <DevicePicker
                aria-label={t('设备')}
                multiple
                placeholder={productID ? t('全部设备') : t('先选择产品')}
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
        items={tabs.map((key) => ({ key, label: t(tabLabels[key]), children: key === tab ? panes[key] : null }))}
      />
    </>
  )
}
