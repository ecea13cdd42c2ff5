import { AppstoreOutlined, SearchOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { type Device, OnlineState } from '@ithings/contract/features/devices/info.ts'
import { sendProperty } from '@ithings/contract/features/devices/interact.ts'
import { hasShadow, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Input, Segmented, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import * as z from 'zod'
import { describeText } from '#blocks/typed-value/value-text.ts'
import { useMay } from '#kit/rights.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { StaleBanner } from '#kit/states/stale-banner.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { clockTime } from '#kit/time.ts'
import { useUrlState } from '#kit/url-state.ts'
import { usePhone } from '#kit/use-phone.ts'
import { latestQuery, shadowQuery } from '../../live-queries.ts'
import { ModelGate } from '../detail/model-gate.tsx'
import { productDetailPath } from '../detail/paths.ts'
import './cockpit.css'
import './command-panel.css'
import { CommandPanel } from './command-panel.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { PropertyCard } from './property-card.tsx'
import { countGroup, filterRows, type PropertyRow, propertyRows, type RowGroup, rowGroups } from './property-rows.ts'
import { PropertyTable } from './property-table.tsx'
import type { PropertyViewProps } from './property-view.ts'
import { useSends } from './use-sends.ts'
import { useTrends } from './use-trends.ts'

const urlSchema = z.object({ view: z.enum(['cards', 'table']), group: z.enum(rowGroups), command: z.string() })
const urlDefaults = { view: 'cards' as const, group: 'all' as const, command: '' }
const groupLabels: Record<RowGroup, string> = { all: '全部', writable: '可写', odd: '未更新' }

/** Values that wait in the shadow, in words. */
function useDesired(device: Device, model: ThingModel): (identifier: string) => string | undefined {
  const enabled = model.properties.some(hasShadow)
  const { data } = useQuery({ ...shadowQuery(device), enabled })
  return (identifier) => {
    const row = data?.list.find(({ dataID, updatedDeviceTime }) => dataID === identifier && updatedDeviceTime === 0)
    const define = model.properties.find(
      (property) => property.identifier === identifier && hasShadow(property),
    )?.define
    return row && define && describeText(define, row.value)
  }
}

function usePropertyViews(device: Device, model: ThingModel, rows: readonly PropertyRow[]): PropertyViewProps[] {
  const online = device.isOnline === OnlineState.online
  const settable = useMay()(sendProperty)
  const [editing, setEditing] = useState<string>()
  const sends = useSends(device)
  const trends = useTrends(device)
  const desired = useDesired(device, model)
  return rows.map((row) => {
    const { identifier, isUseShadow } = row.property
    return {
      device,
      row,
      online,
      state: sends.states.get(identifier),
      trend: trends.of(identifier),
      watch: trends.watch,
      editing: editing === identifier,
      locked: !settable
        ? '你的角色不能下发指令'
        : online || isUseShadow
          ? undefined
          : '设备离线，且这个属性没有启用影子',
      desired: desired(identifier),
      onSend: (value) => sends.send(identifier, value),
      onEdit: () => setEditing(identifier),
      onClose: () => setEditing(undefined),
      onRead: () => sends.read(identifier),
      onLeave: () => sends.leave(identifier),
    }
  })
}

function Cockpit({ device, model }: { device: Device; model: ThingModel }) {
  const phone = usePhone()
  const [url, setUrl] = useUrlState(urlSchema, urlDefaults)
  const [search, setSearch] = useState('')
  const latest = useQuery(latestQuery(device))
  const online = device.isOnline === OnlineState.online
  const rows = propertyRows(model, latest.data?.list ?? [], { online, now: Date.now() })
  const views = usePropertyViews(device, model, filterRows(rows, url.group, search))
  if (!latest.data) {
    return latest.isError ? (
      <ErrorState
        subject="最新属性"
        error={latest.error}
        retrying={latest.isFetching}
        onRetry={() => void latest.refetch()}
      />
    ) : (
      <Skeleton active paragraph={{ rows: 10 }} />
    )
  }
  const leave = () => setUrl({ command: '' }, { replace: true })
  const panel = (
    <CommandPanel
      device={device}
      model={model}
      wanted={url.command !== ''}
      // On a phone the address keeps the drawer open; beside the cards it has done its work.
      onShown={phone ? () => undefined : leave}
    />
  )
  return (
    <div className="cockpit">
      <div className="cockpit-main shrink gap-12">
        <OfflineBanner device={device} hasShadow={model.properties.some(({ isUseShadow }) => isUseShadow)} />
        <div className="cockpit-bar row wrap">
          {!phone && (
            <Segmented<'cards' | 'table'>
              aria-label="显示方式"
              value={url.view}
              options={[
                { value: 'cards', icon: <AppstoreOutlined />, title: '卡片' },
                { value: 'table', icon: <UnorderedListOutlined />, title: '表格' },
              ]}
              onChange={(view) => setUrl({ view }, { replace: true })}
            />
          )}
          <Segmented
            aria-label="属性范围"
            value={url.group}
            options={rowGroups.map((value) => ({ value, label: `${groupLabels[value]} ${countGroup(rows, value)}` }))}
            onChange={(group) => setUrl({ group }, { replace: true })}
          />
          <Input
            allowClear
            className="cockpit-search"
            prefix={<SearchOutlined />}
            placeholder="名称或标识符"
            aria-label="搜索属性"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          {latest.dataUpdatedAt > 0 && (
            <span className="meta cockpit-updated">更新于 {clockTime(latest.dataUpdatedAt)}</span>
          )}
        </div>
        {latest.isError && (
          <StaleBanner
            error={latest.error}
            updatedAt={latest.dataUpdatedAt}
            retrying={latest.isFetching}
            onRetry={() => void latest.refetch()}
          />
        )}
        {views.length === 0 ? (
          <StateBlock
            compact
            variant="no-match"
            title="没有符合条件的属性"
            action={
              <Button
                onClick={() => {
                  setSearch('')
                  setUrl({ group: 'all' }, { replace: true })
                }}
              >
                清空筛选
              </Button>
            }
          />
        ) : url.view === 'table' && !phone ? (
          <PropertyTable views={views} />
        ) : (
          <div className="property-grid">
            {views.map((view) => (
              <PropertyCard key={view.row.property.identifier} {...view} />
            ))}
          </div>
        )}
      </div>
      {phone ? (
        <Drawer
          open={url.command !== ''}
          size="100%"
          title="发送指令"
          destroyOnHidden
          rootClassName="command-drawer"
          onClose={leave}
        >
          {panel}
        </Drawer>
      ) : (
        <aside className="cockpit-side">{panel}</aside>
      )}
    </div>
  )
}

/** screens.md 6.2: all properties, live, and everything that can be told to the device. */
export function StatusTab({ device }: { device: Device }) {
  return (
    <ModelGate productID={device.productID}>
      {(model) =>
        model.properties.length + model.actions.length === 0 ? (
          <StateBlock
            variant="empty"
            title="产品还没有定义属性和行为"
            text="在产品的物模型里定义后，这里会列出每个属性的最新值，并可以下发指令。"
            action={<Link to={`${productDetailPath(device.productID)}?tab=model`}>去定义物模型</Link>}
          />
        ) : (
          <Cockpit device={device} model={model} />
        )
      }
    </ModelGate>
  )
}
