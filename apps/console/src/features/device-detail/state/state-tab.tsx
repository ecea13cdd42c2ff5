import { AppstoreOutlined, SearchOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { sendProperty } from '@ithings/contract/features/commands.ts'
import { type Device, DeviceStatus, deviceStatus, OnlineState } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { hasShadow, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Drawer, Input, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import * as z from 'zod'
import { DeviceTab } from '#blocks/device/tabs.ts'
import { describeText } from '#blocks/typed-value/value-text.ts'
import { RichText } from '#kit/rich-text.tsx'
import { useMay } from '#kit/rights.tsx'
import { Loaded, Stale } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { clockTime, relativeTime } from '#kit/time.ts'
import { useUrlState } from '#kit/url-state.ts'
import { usePhone } from '#kit/use-phone.ts'
import { latestQuery, shadowQuery } from '../live-queries.ts'
import { ModelGate } from '../model-gate.tsx'
import './state.css'
import { deviceDetailPath } from '#kit/paths.ts'
import { DeviceCommands } from './device-commands.tsx'
import type { PropertyView } from './property-body.tsx'
import { PropertyCard, PropertyTable } from './property-card.tsx'
import { countGroup, filterRows, type PropertyRow, propertyRows, type RowGroup, rowGroups } from './property-rows.ts'
import { useSends } from './use-sends.ts'
import { useTrends } from './use-trends.ts'

const urlSchema = z.object({ view: z.enum(['cards', 'table']), group: z.enum(rowGroups), command: z.string() })
const urlDefaults = { view: 'cards' as const, group: 'all' as const, command: '' }
const groupLabels: Record<RowGroup, string> = { all: '全部', writable: '可写', odd: '未更新' }

/** What can still be done with a device that is away (screens.md 6.2). */
function OfflineBanner({ device, model }: { device: Device; model: ThingModel }) {
  const status = deviceStatus(device)
  if (status === DeviceStatus.online) return null
  if (status === DeviceStatus.inactive) {
    const title = (
      <RichText
        text={t('设备还没有连接过平台。用<0>密钥</0>里的连接参数接入后，这里会自动出现上报的数据，无需刷新页面。')}
        parts={[<Link key="credentials" to={deviceDetailPath(device, DeviceTab.credentials)} />]}
      />
    )
    return <Alert type="info" showIcon title={title} />
  }
  const advice = model.properties.some(({ isUseShadow }) => isUseShadow)
    ? t('启用了影子的属性仍可设置：期望值先写入影子，设备上线取走后生效；其余属性和行为要等设备上线。')
    : t('没有属性启用影子，要等设备上线才能下发指令。')
  return (
    <Alert
      type="warning"
      showIcon
      action={<Link to={deviceDetailPath(device, DeviceTab.info)}>{t('查看原因')}</Link>}
      title={t('设备离线，最后上线 {time}，下面是离线前的值。{advice}', {
        time: relativeTime(device.lastLogin),
        advice,
      })}
    />
  )
}

/** Values that wait in the shadow, in words. */
function useDesired(device: Device, model: ThingModel): (identifier: string) => string | undefined {
  const withShadow = model.properties.filter(hasShadow)
  const { data } = useQuery({ ...shadowQuery(device), enabled: withShadow.length > 0 })
  return (identifier) => {
    const row = data?.list.find(({ dataID, updatedDeviceTime }) => dataID === identifier && updatedDeviceTime === 0)
    const define = withShadow.find((property) => property.identifier === identifier)?.define
    return row && define && describeText(define, row.value)
  }
}

function usePropertyViews(device: Device, model: ThingModel, rows: readonly PropertyRow[]): PropertyView[] {
  const online = device.isOnline === OnlineState.online
  const settable = useMay()(sendProperty)
  const [editing, setEditing] = useState<string>()
  const sends = useSends(device)
  const trends = useTrends(device)
  const desired = useDesired(device, model)
  return rows.map((row) => {
    const { identifier, isUseShadow } = row.property
    const away = online || isUseShadow ? undefined : t('设备离线，且这个属性没有启用影子')
    return {
      device,
      row,
      online,
      state: sends.states.get(identifier),
      trend: trends.of(identifier),
      watch: trends.watch,
      editing: editing === identifier,
      locked: settable ? away : t('你的角色不能下发指令'),
      desired: desired(identifier),
      onSend: (value) => sends.send(identifier, value),
      onEdit: () => setEditing(identifier),
      onClose: () => setEditing(undefined),
      onRead: () => sends.read(identifier),
      onLeave: () => sends.leave(identifier),
    }
  })
}

/** All properties with their newest values, as cards or as a table. */
function Properties({ device, model }: { device: Device; model: ThingModel }) {
  const phone = usePhone()
  const [{ view, group }, setUrl] = useUrlState(urlSchema, urlDefaults)
  const [search, setSearch] = useState('')
  const latest = useQuery(latestQuery(device))
  const online = device.isOnline === OnlineState.online
  const rows = propertyRows(model, latest.data?.list ?? [], { online, now: Date.now() })
  const views = usePropertyViews(device, model, filterRows(rows, group, search))
  const showAll = () => {
    setSearch('')
    setUrl({ group: 'all' }, { replace: true })
  }
  return (
    <>
      <div className="gap-8-12 row wrap">
        {!phone && (
          <Segmented<'cards' | 'table'>
            aria-label={t('显示方式')}
            value={view}
            options={[
              { value: 'cards', icon: <AppstoreOutlined />, title: t('卡片') },
              { value: 'table', icon: <UnorderedListOutlined />, title: t('表格') },
            ]}
            onChange={(chosen) => setUrl({ view: chosen }, { replace: true })}
          />
        )}
        <Segmented
          aria-label={t('属性范围')}
          value={group}
          options={rowGroups.map((value) => ({ value, label: `${t(groupLabels[value])} ${countGroup(rows, value)}` }))}
          onChange={(chosen) => setUrl({ group: chosen }, { replace: true })}
        />
        <Input
          allowClear
          className="state-search"
          prefix={<SearchOutlined />}
          placeholder={t('名称或标识符')}
          aria-label={t('搜索属性')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        {latest.dataUpdatedAt > 0 && (
          <span className="meta to-end">{t('更新于 {time}', { time: clockTime(latest.dataUpdatedAt) })}</span>
        )}
      </div>
      <Stale query={latest} />
      {views.length === 0 ? (
        <StateBlock
          compact
          variant="no-match"
          title={t('没有符合条件的属性')}
          action={<Button onClick={showAll}>{t('清空筛选')}</Button>}
        />
      ) : view === 'table' && !phone ? (
        <PropertyTable views={views} />
      ) : (
        <div className="grid gap-12" style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(248px, 1fr))' }}>
          {views.map((one) => (
            <PropertyCard key={one.row.property.identifier} view={one} />
          ))}
        </div>
      )}
    </>
  )
}

/** The properties, and beside them the panel that sends commands; on a phone it is a drawer. */
function Values({ device, model }: { device: Device; model: ThingModel }) {
  const phone = usePhone()
  const [{ command }, setUrl] = useUrlState(urlSchema, urlDefaults)
  const leave = () => setUrl({ command: '' }, { replace: true })
  const isAsked = command !== ''
  const commands = (
    // On a phone the address keeps the drawer open; beside the cards it has done its work.
    <DeviceCommands device={device} model={model} wanted={isAsked} onShown={phone ? () => undefined : leave} />
  )
  return (
    <div className="state-columns top stack gap-16">
      <div className="stack shrink gap-12">
        <OfflineBanner device={device} model={model} />
        <Properties device={device} model={model} />
      </div>
      {phone ? (
        <Drawer
          open={isAsked}
          size="100%"
          title={t('发送指令')}
          destroyOnHidden
          rootClassName="command-drawer"
          styles={{ body: { padding: 0 } }}
          onClose={leave}
        >
          {commands}
        </Drawer>
      ) : (
        <aside>{commands}</aside>
      )}
    </div>
  )
}

/** screens.md 6.2: all properties, live, and everything that can be told to the device. */
export function StateTab({ device }: { device: Device }) {
  const latest = useQuery(latestQuery(device))
  return (
    <ModelGate
      productID={device.productID}
      empty={{
        title: t('产品还没有定义属性和行为'),
        text: t('在产品的物模型里定义后，这里会列出每个属性的最新值，并可以下发指令。'),
        of: ({ properties, actions }) => [...properties, ...actions],
      }}
    >
      {(model) => (
        <Loaded query={latest} subject={t('最新属性')} rows={10}>
          {() => <Values device={device} model={model} />}
        </Loaded>
      )}
    </ModelGate>
  )
}
