import { type AlarmLevel, alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import type { HomeSummary } from '@ithings/contract/features/home.ts'
import { t } from '@ithings/contract/text.ts'
import dayjs from 'dayjs'
import { Link } from 'react-router'
import { AlarmBars } from '#blocks/alarm-level.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { clockTime, formatTime } from '#kit/time.ts'
import { levelStyle } from '../look.ts'
import { alarmPath, deviceAlarmsPath } from '../paths.ts'
import { Nothing } from './panel.tsx'
import { WholeRows } from './whole-rows.tsx'

const levelWord = (level: number) => labelOf(alarmLevelLabels, level as AlarmLevel)

/** Only the clock for today; an older one needs its day. */
const shortTime = (at: number) => (dayjs(at).isSame(dayjs(), 'day') ? clockTime(at) : dayjs(at).format('MM-DD HH:mm'))

export function LatestAlarms({ latest }: Pick<HomeSummary['alarms'], 'latest'>) {
  if (latest.length === 0) return <Nothing>{t('没有未处理的告警')}</Nothing>
  return (
    <WholeRows className="home-alarm-list" label={t('最新告警')}>
      {latest.map((alarm) => (
        <li key={alarm.id}>
          <Link to={alarmPath(alarm.id)} style={levelStyle(alarm.level)}>
            <AlarmBars level={alarm.level} />
            <span className="home-alarm-name cut">
              <b>{levelWord(alarm.level)}</b> {alarm.alarmName}
            </span>
            <span className="end small nowrap">{alarm.value}</span>
            <span className="cut softer small" style={{ gridColumn: '2' }}>
              {alarm.deviceAlias || alarm.deviceName}
            </span>
            <time
              className="end quiet small"
              dateTime={new Date(alarm.lastAlarm).toISOString()}
              title={formatTime(alarm.lastAlarm)}
            >
              {shortTime(alarm.lastAlarm)}
            </time>
          </Link>
        </li>
      ))}
    </WholeRows>
  )
}

export function TopDevices({ top }: Pick<HomeSummary['alarms'], 'top'>) {
  if (top.length === 0) return <Nothing>{t('没有设备有未处理的告警')}</Nothing>
  const most = Math.max(...top.map(({ count }) => count))
  return (
    <WholeRows className="home-top-list" label={t('告警最多的设备')}>
      {top.map((device) => (
        <li key={`${device.productID}/${device.deviceName}`}>
          <Link to={deviceAlarmsPath(device)} style={levelStyle(device.level)}>
            <span className="cut">{device.deviceAlias || device.deviceName}</span>
            <span className="home-top-level small">{levelWord(device.level)}</span>
            <b className="end bold">{t('{count, number} 次', { count: device.count })}</b>
            <i className="home-bar" aria-hidden="true">
              <i style={{ width: `${(device.count / most) * 100}%` }} />
            </i>
          </Link>
        </li>
      ))}
    </WholeRows>
  )
}
