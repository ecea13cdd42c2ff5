import type { EventLogRow } from '@ithings/contract/features/devices/msg.ts'
import { EventType, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Button } from 'antd'
import type { ChartMark } from '#blocks/history-chart/chart-option.ts'
import { StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { EventParams, eventLooks, eventName } from './event-words.tsx'

const knownType = (type: string): EventType => Object.values(EventType).find((one) => one === type) ?? EventType.info

export const marksOf = (events: readonly EventLogRow[], model: ThingModel): ChartMark[] =>
  events.map((event) => ({
    time: Number(event.timestamp),
    name: eventName(event.dataID, model),
    type: knownType(event.type),
  }))

interface RangeEventsProps {
  events: { list: readonly EventLogRow[]; total: number }
  model: ThingModel
  onAll: () => void
}

/** The dotted lines of the chart, told apart (mockup 05 区间事件). */
export function RangeEvents({ events, model, onAll }: RangeEventsProps) {
  return (
    <section className="range-events" aria-label="区间事件">
      <div className="range-events-head">
        <h3>区间事件</h3>
        <Button type="link" size="small" onClick={onAll}>
          全部 {events.total.toLocaleString()} 条
        </Button>
      </div>
      <ul>
        {events.list.map((event) => (
          <li key={`${event.timestamp} ${event.dataID} ${event.params}`}>
            <time>{formatTime(event.timestamp, 'MM-DD HH:mm:ss')}</time>
            <StatusTag looks={eventLooks} value={event.type} />
            <span>{eventName(event.dataID, model)}</span>
            <EventParams event={event} model={model} />
          </li>
        ))}
      </ul>
    </section>
  )
}
