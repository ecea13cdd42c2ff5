import type { DataOf } from '@ithings/contract/endpoint.ts'
import { type countDevices, DeviceStatus, deviceStatusLabels } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { deviceStatusLooks } from '#blocks/device-status.tsx'
import type { ListCounter } from '#kit/list-page/list-contract.ts'
import { lookOf } from '#kit/status-tag.tsx'

type Count = DataOf<typeof countDevices>['deviceCount']

const statuses = [
  { status: DeviceStatus.online, of: (count: Count) => count.online },
  { status: DeviceStatus.offline, of: (count: Count) => count.offline },
  { status: DeviceStatus.inactive, of: (count: Count) => count.inactive },
] as const

const share = (part: number, whole: number) => (whole === 0 ? '' : `${((part / whole) * 100).toFixed(1)}%`)

function CountBar({ count }: { count: Count }) {
  return (
    <span className="count-bar fit middle" aria-hidden="true">
      {statuses.map(({ status, of }) =>
        of(count) > 0 ? (
          <span
            key={status}
            className={`tone-${lookOf(deviceStatusLooks, status).tone}`}
            style={{ flexGrow: of(count) }}
          />
        ) : null,
      )}
    </span>
  )
}

/** screens.md 5: the counters are the status filter; they count what the other filters leave. */
export function deviceCounters(count: Count | undefined, phone: boolean): ListCounter[] {
  const total = count && count.online + count.offline + count.inactive
  return [
    {
      key: 'all',
      label: phone ? t('全部') : t('设备总数'),
      value: total,
      filter: {},
      ...(!phone && count && total ? { hint: <CountBar count={count} /> } : {}),
    },
    ...statuses.map(({ status, of }) => {
      const look = lookOf(deviceStatusLooks, status)
      return {
        key: String(status),
        label: t(deviceStatusLabels[status]),
        value: count && of(count),
        tone: look.tone,
        ring: look.ring ?? false,
        filter: { status: String(status) },
        ...(!phone && count && total ? { hint: share(of(count), total) } : {}),
      }
    }),
  ]
}
