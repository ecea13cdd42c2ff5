import { eventTypeLabels, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Button } from 'antd'
import { Link } from 'react-router'
import { markColours, markSigns } from '#blocks/history-chart/chart-option.ts'
import { formatTime } from '#kit/time.ts'
import { EventParams } from './event-words.tsx'
import type { Happening } from './happenings.ts'

interface RangeEventsProps {
  happenings: readonly Happening[]
  model: ThingModel
  onView: (view: 'events' | 'commands') => void
}

/** The dotted lines of the chart, told apart. */
export function RangeEvents({ happenings, model, onView }: RangeEventsProps) {
  return (
    <section className="range-events" aria-label="区间事件">
      <div className="range-events-head row between">
        <h3>区间事件</h3>
        <span>
          <Button type="link" size="small" onClick={() => onView('events')}>
            全部事件
          </Button>
          <Button type="link" size="small" onClick={() => onView('commands')}>
            全部指令
          </Button>
        </span>
      </div>
      <ul>
        {happenings.map(({ key, kind, time, type, name, text, event, to }) => (
          <li key={key}>
            <span aria-hidden="true" style={{ color: markColours[type] }}>
              {markSigns[kind]}
            </span>
            <b>{to ? <Link to={to}>{name}</Link> : name}</b>
            <time>{formatTime(time, 'MM-DD HH:mm:ss')}</time>
            <span className="range-event-text meta">
              {event ? (
                <>
                  {eventTypeLabels[type]} <EventParams event={event} model={model} />
                </>
              ) : (
                text
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
