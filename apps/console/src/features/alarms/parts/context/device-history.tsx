import { dayMs } from '@ithings/contract/durations.ts'
import type { AlarmRecord } from '@ithings/contract/features/alarms/record.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { Lasted } from '#blocks/alarm-records/record-cells.tsx'
import { handlerName, recordLook } from '#blocks/alarm-records/record-words.ts'
import { deviceDetailPath } from '#blocks/device-link.tsx'
import { formatTime } from '#kit/time.ts'
import { recordsQuery } from '../../record-queries.ts'

const shown = 5
const days = 30
const alarmTab = 13

/** Other alarms of the same device. */
export function DeviceHistory({ record, onShow }: { record: AlarmRecord; onShow: (id: number) => void }) {
  const { productID, deviceName } = record
  const key = { history: { productID, deviceName } }
  const { data } = useQuery(
    recordsQuery(
      key,
      () => ({
        productID,
        deviceName,
        timeRange: { start: Date.now() - days * dayMs },
        page: { page: 1, size: shown + 1, orders: [{ field: 'lastAlarm', sort: 2 }] },
      }),
      false,
    ),
  )
  const others = data?.list.filter(({ id }) => id !== record.id).slice(0, shown) ?? []
  return (
    <section className="panel-section">
      <div className="panel-title">
        <h3>同设备历史</h3>
        {data && (
          <span className="meta">
            近 {days} 天 {Math.max(0, data.total - 1)} 条其他告警
          </span>
        )}
        <Link className="panel-title-end" to={deviceDetailPath(record, alarmTab)}>
          查看设备
        </Link>
      </div>
      {others.length === 0 ? (
        <p className="meta">{data ? '没有其他告警。' : '加载中…'}</p>
      ) : (
        <ul className="panel-rows bare-list">
          {others.map((one) => (
            <li key={one.id}>
              <span className="mono-payload">{formatTime(one.lastAlarm, 'MM-DD HH:mm')}</span>
              <button type="button" className="plain-button panel-row-name" onClick={() => onShow(one.id)}>
                {one.alarmName}
              </button>
              <AlarmLevelMark level={one.level} />
              <Lasted record={one} />
              <span className="meta">{[handlerName(one), recordLook(one).text].filter(Boolean).join(' ')}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
