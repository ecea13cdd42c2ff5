import { type Device, LogLevel, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button } from 'antd'
import { Link } from 'react-router'
import { CloudLogs, type LogKind } from '#blocks/log-table/cloud-logs.tsx'
import { SdkLogList } from '#blocks/log-table/sdk-log-list.tsx'
import { deviceDetailPath } from '#kit/paths.ts'
import { May } from '#kit/rights.tsx'
import { useMemo } from '#language/use-memo.ts'

/** screens.md 6.7: logs that the device writes itself; while they are off, the page says so. */
function LocalLogs({ device }: { device: Device }) {
  const off = device.logLevel === LogLevel.off
  return (
    <>
      {off && (
        <Alert
          className="below-16"
          type="info"
          showIcon
          title={t('本地日志已关闭，设备不会上报新的日志。')}
          action={
            <May needs={updateDevice}>
              <Link to={deviceDetailPath(device)}>
                <Button size="small">{t('去开启')}</Button>
              </Link>
            </May>
          }
        />
      )}
      <SdkLogList
        productID={device.productID}
        deviceNames={[device.deviceName]}
        empty={{
          title: t('这段时间没有本地日志'),
          text: off
            ? t('在设备信息里选择日志级别后，设备会开始上报。')
            : t('设备上报达到所选级别的日志后，会显示在这里。'),
        }}
      />
    </>
  )
}

/** screens.md 6.5 to 6.7: everything between this device and the platform, by kind. */
export function LogsTab({ device, first }: { device: Device; first: LogKind }) {
  const { productID, deviceName } = device
  const scope = useMemo(() => ({ productID, deviceNames: [deviceName] }), [productID, deviceName])
  return <CloudLogs scope={scope} first={first} local={<LocalLogs device={device} />} />
}
