import type { Device } from '@ithings/contract/features/devices/info.ts'
import { useMemo } from 'react'
import { HubLogList } from '#blocks/log-table/hub-log-list.tsx'

/** screens.md 6.5: everything between this device and the platform, replies beside their requests. */
export function DiagnosisTab({ device: { productID, deviceName } }: { device: Device }) {
  const scope = useMemo(() => ({ productID, deviceNames: [deviceName] }), [productID, deviceName])
  return (
    <HubLogList
      title="云端诊断日志"
      scope={scope}
      storageKey="diagnosis-log"
      groupedAtFirst
      empty={{ title: '这段时间没有日志', text: '设备连接、上报和平台下发的每条消息都会记录在这里。' }}
    />
  )
}
