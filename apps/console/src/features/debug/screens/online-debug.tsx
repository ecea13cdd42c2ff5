import { type Device, type DeviceKey, readDevice } from '@ithings/contract/features/devices/info.ts'
import { deviceTopic } from '@ithings/contract/features/live.ts'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useEffect } from 'react'
import { Link } from 'react-router'
import * as z from 'zod'
import { useLive, useLivePolling } from '#api/live.ts'
import { DebugPanel } from '#blocks/debug-panel/debug-panel.tsx'
import { deviceDetailPath } from '#blocks/device-link.tsx'
import { DevicePicker } from '#blocks/device-picker.tsx'
import { DeviceStatusTag } from '#blocks/device-status.tsx'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { noteRecent } from '#blocks/recent-devices.ts'
import { PageHeading } from '#kit/list-page/page-heading.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { useUrlState } from '#kit/url-state.ts'
import '../parts/debug.css'
import { RecentList } from '../parts/recent-list.tsx'
import { deviceQuery } from '../queries.ts'

const target = z.object({ productID: z.string(), deviceName: z.string() })
const none = { productID: '', deviceName: '' }

function TargetFacts({ device }: { device: Device }) {
  return (
    <span className="debug-facts inline-row wrap">
      <DeviceStatusTag device={device} />
      {device.firstLogin !== '0' && (
        <span className="meta">
          最后上线 <TimeText value={device.lastLogin} />
        </span>
      )}
      {device.version && <span className="meta mono">{device.version}</span>}
      <Link to={deviceDetailPath(device)}>设备详情</Link>
    </span>
  )
}

/** The device as it is now: its status moves by itself. */
function useTarget(key: DeviceKey | undefined) {
  useLive(key && deviceTopic(key), { presence: [[readDevice.path]], info: [[readDevice.path]] })
  const pace = useLivePolling()
  const result = useQuery({ ...deviceQuery(key ?? none), enabled: key !== undefined, refetchInterval: pace })
  const device = key ? result.data : undefined
  useEffect(() => {
    if (!device) return
    const { productID, deviceName, deviceAlias } = device
    noteRecent({ productID, deviceName, title: deviceAlias || deviceName })
  }, [device])
  return { ...result, data: device }
}

/** spec 2 /operationsMonitorings/onlineDebugs/index; screens.md 18. */
export function OnlineDebug() {
  const [{ productID, deviceName }, set] = useUrlState(target, none)
  const chosen = productID !== '' && deviceName !== ''
  const { data: device, error, isFetching, refetch } = useTarget(chosen ? { productID, deviceName } : undefined)
  return (
    <>
      <PageHeading
        title="在线调试"
        subtitle={
          <span className="debug-target inline-row wrap gap-8">
            <span>
              <ProductPicker
                aria-label="产品"
                value={productID || undefined}
                onChange={(value) => set({ productID: value, deviceName: undefined })}
              />
            </span>
            <span>
              <DevicePicker
                aria-label="设备"
                productID={productID || undefined}
                value={deviceName || undefined}
                onChange={(value) => set({ deviceName: value })}
              />
            </span>
            {device && <TargetFacts device={device} />}
          </span>
        }
      />
      {device && <DebugPanel key={`${productID}/${deviceName}`} device={device} />}
      {chosen && !device && error && (
        <section className="debug-blank">
          <ErrorState subject="设备" error={error} retrying={isFetching} onRetry={() => void refetch()} />
        </section>
      )}
      {chosen && !device && !error && <Skeleton active paragraph={{ rows: 10 }} />}
      {!chosen && (
        <section className="debug-blank">
          <StateBlock
            variant="empty"
            title="选择一台设备"
            text="先选产品再选设备，就能给它下发属性、行为或自定义消息，并实时看到往来的消息。"
            extra={<RecentList onPick={(device) => set(device)} />}
          />
        </section>
      )}
    </>
  )
}
