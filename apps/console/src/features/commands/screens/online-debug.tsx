import { type Device, type DeviceKey, readDevice } from '@ithings/contract/features/devices/info.ts'
import { deviceTopic } from '@ithings/contract/features/live.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect } from 'react'
import { Link } from 'react-router'
import * as z from 'zod'
import { useLive, useLivePolling } from '#api/live.ts'
import { CommandPanel } from '#blocks/command-panel/command-panel.tsx'
import { deviceQuery } from '#blocks/device/queries.ts'
import { DevicePicker } from '#blocks/device-picker.tsx'
import { DeviceStatusTag } from '#blocks/device-status.tsx'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { noteRecent, type RecentDevice, readRecent } from '#blocks/recent-devices.ts'
import { PageHeading } from '#kit/list-page/page-heading.tsx'
import { Loaded } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { useUrlState } from '#kit/url-state.ts'
import '#blocks/device-target.css'
import { deviceDetailPath } from '#kit/paths.ts'

const address = z.object({ productID: z.string(), deviceName: z.string() })
const none = { productID: '', deviceName: '' }

function TargetFacts({ device }: { device: Device }) {
  return (
    <span className="device-target-facts inline-row wrap">
      <DeviceStatusTag device={device} />
      {device.firstLogin !== '0' && (
        <span className="meta">
          {t('最后上线')} <TimeText value={device.lastLogin} />
        </span>
      )}
      {device.version && <span className="meta mono">{device.version}</span>}
      <Link to={deviceDetailPath(device)}>{t('设备详情')}</Link>
    </span>
  )
}

/** Back to a device somebody worked with before. */
function RecentList({ onPick }: { onPick: (device: RecentDevice) => void }) {
  const recent = readRecent()
  if (recent.length === 0) return null
  return (
    <div className="row wrap center gap-8">
      <span className="meta">{t('最近调试')}</span>
      {recent.map((device) => (
        <Button key={`${device.productID}/${device.deviceName}`} size="small" onClick={() => onPick(device)}>
          {device.title}
        </Button>
      ))}
    </div>
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
  const [{ productID, deviceName }, set] = useUrlState(address, none)
  const chosen = productID !== '' && deviceName !== ''
  const target = useTarget(chosen ? { productID, deviceName } : undefined)
  const device = target.data
  return (
    <>
      <PageHeading
        title={t('在线调试')}
        subtitle={
          <span className="device-target inline-row wrap gap-8">
            <span>
              <ProductPicker
                aria-label={t('产品')}
                value={productID || undefined}
                onChange={(value) => set({ productID: value, deviceName: undefined })}
              />
            </span>
            <span>
              <DevicePicker
                aria-label={t('设备')}
                productID={productID || undefined}
                value={deviceName || undefined}
                onChange={(value) => set({ deviceName: value })}
              />
            </span>
            {device && <TargetFacts device={device} />}
          </span>
        }
      />
      {device && <CommandPanel key={`${productID}/${deviceName}`} device={device} />}
      {chosen && !device && (
        <section className={target.error ? 'sheet' : ''}>
          <Loaded query={target} subject={t('设备')} rows={10}>
            {() => null}
          </Loaded>
        </section>
      )}
      {!chosen && (
        <section className="sheet">
          <StateBlock
            variant="empty"
            title={t('选择一台设备')}
            text={t('先选产品再选设备，就能给它下发属性、行为或自定义消息，并实时看到往来的消息。')}
            extra={<RecentList onPick={(device) => set(device)} />}
          />
        </section>
      )}
    </>
  )
}
