import type { Device } from '@ithings/contract/features/devices/info.ts'
import { useMemo } from 'react'
import { AlarmRecords } from '#blocks/alarm-records/alarm-records.tsx'

/** screens.md 6.13: the alarm records of this device. */
export function AlarmsTab({ device: { productID, deviceName } }: { device: Device }) {
  const subject = useMemo(() => ({ productID, deviceName }), [productID, deviceName])
  return (
    <AlarmRecords
      subject={subject}
      empty={{ title: '这台设备没有告警', text: '场景在这台设备上触发告警后，记录出现在这里。' }}
    />
  )
}
