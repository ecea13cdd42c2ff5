import type { Device } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { AlarmRecords } from '#blocks/alarm-records/alarm-records.tsx'
import { useMemo } from '#language/use-memo.ts'

/** screens.md 6.13: the alarm records of this device. */
export function AlarmsTab({ device: { productID, deviceName } }: { device: Device }) {
  const subject = useMemo(() => ({ productID, deviceName }), [productID, deviceName])
  return (
    <AlarmRecords
      subject={subject}
      empty={{ title: t('这台设备没有告警'), text: t('场景在这台设备上触发告警后，记录出现在这里。') }}
    />
  )
}
