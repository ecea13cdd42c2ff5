import { EllipsisOutlined } from '@ant-design/icons'
import { errors } from '@ithings/contract/errors.ts'
import type { Device, DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { useQuery } from '@tanstack/react-query'
import { App, Button, Skeleton, Tabs } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { deviceDetailPath } from '#blocks/device-link.tsx'
import { useConfirm } from '#kit/confirm.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { ErrorState } from '#kit/states/error-state.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { deviceKeyOf, deviceListPath, deviceTitle } from '../labels.ts'
import '../parts/detail/detail.css'
import { DeviceHeader } from '../parts/detail/device-header.tsx'
import { DeviceTab, shownTab, tabOf, tabsOf } from '../parts/detail/tabs.ts'
import { deletedWith } from '../parts/list/use-device-actions.tsx'
import { useOpenAlarms } from '../parts/open-alarms.tsx'
import { deviceQuery, useDeleteAndLeave, useDevicesChanged } from '../queries.ts'
import { useDeviceLive } from '../use-device-live.ts'

const InfoTab = lazy(async () => ({ default: (await import('../parts/detail/info-tab.tsx')).InfoTab }))
const StatusTab = lazy(async () => ({ default: (await import('../parts/cockpit/status-tab.tsx')).StatusTab }))
const DataTab = lazy(async () => ({ default: (await import('../parts/history/data-tab.tsx')).DataTab }))
const AlarmsTab = lazy(async () => ({ default: (await import('../parts/detail/alarms-tab.tsx')).AlarmsTab }))
const ShadowTab = lazy(async () => ({ default: (await import('../parts/shadow/shadow-tab.tsx')).ShadowTab }))
const DebugTab = lazy(async () => ({ default: (await import('../parts/logs/debug-tab.tsx')).DebugTab }))
const LogsTab = lazy(async () => ({ default: (await import('../parts/logs/logs-tab.tsx')).LogsTab }))
const SubDevicesTab = lazy(async () => ({
  default: (await import('../parts/detail/sub-devices-tab.tsx')).SubDevicesTab,
}))
const CredentialsTab = lazy(async () => ({
  default: (await import('../parts/detail/credentials-tab.tsx')).CredentialsTab,
}))
const TopicsTab = lazy(async () => ({ default: (await import('../parts/detail/topics-tab.tsx')).TopicsTab }))
const GroupsTab = lazy(async () => ({ default: (await import('../parts/detail/groups-tab.tsx')).GroupsTab }))
const EditDeviceForm = lazy(async () => ({ default: (await import('../parts/list/device-form.tsx')).EditDeviceForm }))
const JoinGroupsModal = lazy(async () => ({
  default: (await import('../parts/detail/join-groups-modal.tsx')).JoinGroupsModal,
}))

const moreTabs = { icon: <EllipsisOutlined aria-label="更多标签页" /> }

/** A dialog that is drawn from its first opening on, anew each time. */
function useDialog() {
  const [{ count, open }, set] = useState({ count: 0, open: false })
  return { count, open, show: () => set({ count: count + 1, open: true }), close: () => set({ count, open: false }) }
}

function useDelete(device: Device) {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const confirm = useConfirm()
  const remove = useDeleteAndLeave()
  return () =>
    confirm({
      title: `删除设备「${deviceTitle(device)}」？`,
      content: deletedWith(device),
      danger: true,
      okText: '删除',
      typeToConfirm: device.deviceName,
      onOk: async () => {
        await remove(device, () => navigate(deviceListPath, { replace: true }))
        void message.success('删除成功')
      },
    })
}

function Detail({ device, tabKey }: { device: Device; tabKey: string | undefined }) {
  const navigate = useNavigate()
  const edit = useDialog()
  const join = useDialog()
  const refresh = useDevicesChanged()
  const askDelete = useDelete(device)
  const panes: Record<DeviceTab, () => ReactNode> = {
    [DeviceTab.info]: () => <InfoTab device={device} onEdit={edit.show} />,
    [DeviceTab.status]: () => <StatusTab device={device} />,
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
    [DeviceTab.groups]: () => <GroupsTab device={device} onJoin={join.show} />,
  }
  const active = tabOf(tabKey, device.deviceType)
  const shown = shownTab(active)
  const alarms = useOpenAlarms([device])
  const open = alarms.get(deviceKeyOf(device))?.open
  return (
    <div className="device-detail">
      <DeviceHeader
        device={device}
        alarms={alarms}
        groupsPath={deviceDetailPath(device, DeviceTab.groups)}
        onEdit={edit.show}
        onJoin={join.show}
        onCommand={() => void navigate(`${deviceDetailPath(device, DeviceTab.status)}?command=1`)}
        onRefresh={() => void refresh()}
        onDelete={askDelete}
      />
      <Tabs
        activeKey={String(shown)}
        destroyOnHidden
        more={moreTabs}
        onChange={(key) => void navigate(deviceDetailPath(device, Number(key)), { replace: true })}
        items={tabsOf(device.deviceType).map(({ key, label }) => ({
          key: String(key),
          label: key === DeviceTab.alarms && open ? `${label} ${open}` : label,
          children:
            key === shown ? (
              <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>{panes[active]()}</Suspense>
            ) : null,
        }))}
      />
      <Suspense>
        {edit.count > 0 && <EditDeviceForm key={edit.count} device={device} open={edit.open} onClose={edit.close} />}
        {join.count > 0 && (
          <JoinGroupsModal key={`join${join.count}`} device={device} open={join.open} onClose={join.close} />
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
  const { data, error, isFetching, refetch } = useQuery(deviceQuery(key))

  if (error && describeError(error).code === errors.notFound.code) {
    return (
      <StateBlock
        variant="no-match"
        title="这台设备不存在"
        text={`产品 ${id} 下没有设备 ${name}，它可能已经被删除。`}
        action={<Button onClick={() => void navigate(deviceListPath)}>返回设备列表</Button>}
      />
    )
  }
  if (error && !data) {
    return <ErrorState subject="设备详情" error={error} retrying={isFetching} onRetry={() => void refetch()} />
  }
  if (!data) return <Skeleton active paragraph={{ rows: 10 }} />
  // Drafts of the device opened before never go to this one.
  return <Detail key={deviceKeyOf(data)} device={data} tabKey={type} />
}
