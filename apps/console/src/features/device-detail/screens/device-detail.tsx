import { EllipsisOutlined } from '@ant-design/icons'
import { errors } from '@ithings/contract/errors.ts'
import { type Device, type DeviceKey, readDevice } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Skeleton, Tabs } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useNavigate, useParams } from 'react-router'
import { deviceKeyOf } from '#blocks/device/labels.ts'
import { useOpenAlarms } from '#blocks/device/open-alarms.tsx'
import { deviceQuery } from '#blocks/device/queries.ts'
import { DeviceTab, shownTab, tabOf, tabsOf } from '#blocks/device/tabs.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { Loaded } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { useDialog } from '#kit/use-dialog.ts'
import { useMemo } from '#language/use-memo.ts'
import '../detail.css'
import { listCommands, listShadow } from '@ithings/contract/features/commands.ts'
import { listEventLog, listLatest } from '@ithings/contract/features/history.ts'
import { deviceTopic } from '@ithings/contract/features/live.ts'
import { type LiveQueries, useLive, useLivePolling } from '#api/live.ts'
import { useVisible } from '#kit/auto-refresh.tsx'
import { deviceDetailPath, paths } from '#kit/paths.ts'
import { DeviceHeader } from '../device-header.tsx'

/** Keeps what is on the screen about one device as fresh as the device itself. */

/** Bodies hold more than the device: TanStack compares only the members that are given. */
const queriesOf = (key: DeviceKey): LiveQueries => {
  const latest = [listLatest.path, key]
  const info = [readDevice.path, key]
  const shadow = [listShadow.path, key]
  return {
    values: [latest],
    presence: [info],
    info: [info],
    command: [[listCommands.path, key], latest],
    shadow: [shadow, latest],
    log: [[listEventLog.path, { productID: key.productID }]],
  }
}

/** A tab shows all of them: Alarms, not Alarm. */
const many = { context: 'many' }

function useDeviceLive({ productID, deviceName }: DeviceKey): void {
  const client = useQueryClient()
  const visible = useVisible()
  const queries = useMemo(() => queriesOf({ productID, deviceName }), [productID, deviceName])
  useLive(deviceTopic({ productID, deviceName }), queries)
  const pace = useLivePolling()
  useEffect(() => {
    if (!visible) return
    const timer = setInterval(() => {
      const all = new Set(Object.values(queries).flat())
      for (const queryKey of all) void client.invalidateQueries({ queryKey }, { cancelRefetch: false })
    }, pace)
    return () => clearInterval(timer)
  }, [client, visible, pace, queries])
}

const InfoTab = lazy(async () => ({ default: (await import('../info/info-tab.tsx')).InfoTab }))
const StateTab = lazy(async () => ({ default: (await import('../state/state-tab.tsx')).StateTab }))
const DataTab = lazy(async () => ({ default: (await import('../history/data-tab.tsx')).DataTab }))
const AlarmsTab = lazy(async () => ({ default: (await import('../alarms-tab.tsx')).AlarmsTab }))
const ShadowTab = lazy(async () => ({ default: (await import('../shadow/shadow-tab.tsx')).ShadowTab }))
const DebugTab = lazy(async () => ({ default: (await import('../debug-tab.tsx')).DebugTab }))
const LogsTab = lazy(async () => ({ default: (await import('../logs-tab.tsx')).LogsTab }))
const SubDevicesTab = lazy(async () => ({
  default: (await import('../sub-devices/sub-devices-tab.tsx')).SubDevicesTab,
}))
const CredentialsTab = lazy(async () => ({ default: (await import('../credentials-tab.tsx')).CredentialsTab }))
const TopicsTab = lazy(async () => ({ default: (await import('../topics-tab.tsx')).TopicsTab }))
const GroupsTab = lazy(async () => ({ default: (await import('../groups/groups-tab.tsx')).GroupsTab }))
const EditDeviceForm = lazy(async () => ({ default: (await import('#blocks/device/device-form.tsx')).EditDeviceForm }))
const JoinGroupsModal = lazy(async () => ({
  default: (await import('../groups/join-groups-modal.tsx')).JoinGroupsModal,
}))

function Detail({ device, tabKey }: { device: Device; tabKey: string | undefined }) {
  const navigate = useNavigate()
  const edit = useDialog()
  const join = useDialog()
  const onEdit = () => edit.show(undefined)
  const onJoin = () => join.show(undefined)
  const panes: Record<DeviceTab, () => ReactNode> = {
    [DeviceTab.info]: () => <InfoTab device={device} onEdit={onEdit} />,
    [DeviceTab.status]: () => <StateTab device={device} />,
    [DeviceTab.data]: () => <DataTab device={device} />,
    [DeviceTab.shadow]: () => <ShadowTab device={device} />,
    [DeviceTab.alarms]: () => <AlarmsTab device={device} />,
    [DeviceTab.debug]: () => <DebugTab device={device} />,
    [DeviceTab.diagnosis]: () => <LogsTab device={device} first="all" />,
    [DeviceTab.cloudLog]: () => <LogsTab device={device} first="content" />,
    [DeviceTab.localLog]: () => <LogsTab device={device} first="local" />,
    [DeviceTab.subDevices]: () => <SubDevicesTab gateway={device} />,
    [DeviceTab.credentials]: () => <CredentialsTab device={device} />,
    [DeviceTab.topics]: () => <TopicsTab device={device} />,
    [DeviceTab.groups]: () => <GroupsTab device={device} onJoin={onJoin} />,
  }
  const active = tabOf(tabKey, device.deviceType)
  const shown = shownTab(active)
  const alarms = useOpenAlarms([device])
  const open = alarms.get(deviceKeyOf(device))?.open
  return (
    <div className="device-detail">
      <DeviceHeader device={device} alarms={alarms} onEdit={onEdit} onJoin={onJoin} />
      <Tabs
        className="band-tabs"
        activeKey={String(shown)}
        destroyOnHidden
        more={{ icon: <EllipsisOutlined aria-label={t('更多标签页')} /> }}
        onChange={(key) => void navigate(deviceDetailPath(device, Number(key)), { replace: true })}
        items={tabsOf(device.deviceType).map(({ key, label }) => ({
          key: String(key),
          label: key === DeviceTab.alarms && open ? `${t(label, many)} ${open}` : t(label, many),
          children:
            key === shown ? (
              <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>{panes[active]()}</Suspense>
            ) : null,
        }))}
      />
      <Suspense>
        {edit.session > 0 && (
          <EditDeviceForm key={edit.session} device={device} open={edit.open} onClose={edit.close} />
        )}
        {join.session > 0 && (
          <JoinGroupsModal key={`join${join.session}`} device={device} open={join.open} onClose={join.close} />
        )}
      </Suspense>
    </div>
  )
}

/** spec 2: /deviceMangers/device/detail/:id/:name/:type. */
export function DeviceDetail() {
  const { id = '', name = '', type } = useParams()
  const navigate = useNavigate()
  const key: DeviceKey = { productID: id, deviceName: name }
  useDeviceLive(key)
  const device = useQuery(deviceQuery(key))
  if (device.error && describeError(device.error).code === errors.notFound.code) {
    return (
      <StateBlock
        variant="no-match"
        title={t('这台设备不存在')}
        text={t('产品 {id} 下没有设备 {name}，它可能已经被删除。', { id, name })}
        action={<Button onClick={() => void navigate(paths.devices)}>{t('返回设备列表')}</Button>}
      />
    )
  }
  return (
    <Loaded query={device} subject={t('设备详情')} rows={10}>
      {/* Drafts of the device opened before never go to this one. */}
      {(known) => <Detail key={deviceKeyOf(known)} device={known} tabKey={type} />}
    </Loaded>
  )
}
