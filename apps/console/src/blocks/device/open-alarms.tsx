/** How many alarms of a device are open, beside whatever else is said about it. */

import type { DataOf } from '@ithings/contract/endpoint.ts'
import { countAlarmRecords } from '@ithings/contract/features/alarms/record.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { endpointQuery } from '#api/endpoint-query.ts'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { deviceDetailPath } from '#kit/paths.ts'
import { useMay } from '#kit/rights.tsx'
import { useMemo } from '#language/use-memo.ts'
import { deviceKeyOf } from './labels.ts'
import { keyOf } from './queries.ts'
import { DeviceTab } from './tabs.ts'

type Open = DataOf<typeof countAlarmRecords>['devices'][number]
export type OpenAlarms = ReadonlyMap<string, Open>

/** One call for all of them. The bell of the header reads everything under this path again when an alarm changes. */
export function useOpenAlarms(rows: readonly DeviceKey[]): OpenAlarms {
  const may = useMay()
  const devices = rows.map(keyOf)
  const { data } = useQuery({
    ...endpointQuery(countAlarmRecords, { devices }, { quiet: true }),
    enabled: devices.length > 0 && may(countAlarmRecords),
    placeholderData: keepPreviousData,
  })
  return useMemo(() => new Map(data?.devices.map((one) => [deviceKeyOf(one), one])), [data])
}

interface OpenAlarmsMarkProps {
  device: DeviceKey
  alarms: OpenAlarms
  filled?: boolean
}

export function OpenAlarmsMark({ device, alarms, filled = false }: OpenAlarmsMarkProps) {
  const found = alarms.get(deviceKeyOf(device))
  return (
    found && (
      <Link to={deviceDetailPath(device, DeviceTab.alarms)} title={t('未处理的告警')}>
        <AlarmLevelMark level={found.level} filled={filled}>
          {t('{count, number} 条告警', { count: found.open })}
        </AlarmLevelMark>
      </Link>
    )
  )
}
