import { alarmLevelLabels, alarmLevels } from '@ithings/contract/features/alarms/config.ts'
import { type HomeSummary, readHomeSummary } from '@ithings/contract/features/home.ts'
import type { ExportColumn } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { type CSSProperties, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { ChartExport } from '#kit/chart-export.tsx'
import { numberText } from '#kit/number-text.ts'
import { useMemo } from '#language/use-memo.ts'
import { averageBefore, axisRoom, daysOption, dayWord, sumOf } from '../charts/days-option.ts'
import { FillChart } from '../charts/fill-chart.tsx'
import { digitsOf, todayWord } from '../figures.ts'
import { useLayout } from '../layout-context.ts'
import { levelStyle } from '../look.ts'
import { dayAlarmsPath, openAlarmsPath } from '../paths.ts'
import { LatestAlarms, TopDevices } from './alarm-lists.tsx'
import { Panel } from './panel.tsx'

type Alarms = HomeSummary['alarms']

const Strip = ({ open }: Pick<Alarms, 'open'>) => (
  <ul
    className="home-strip grid fixed"
    aria-label={t('未处理告警按级别')}
    style={{ '--home-digits': digitsOf(open) } as CSSProperties}
  >
    {alarmLevels.map((level) => (
      <li key={level} style={levelStyle(level)}>
        <Link to={openAlarmsPath(level)}>
          <span className="small">{t(alarmLevelLabels[level])}</span>
          <strong className="block bold">{numberText(open[level - 1] ?? 0)}</strong>
        </Link>
      </li>
    ))}
  </ul>
)

/** Where there is little room the month goes. */
const DayWord = ({ word }: { word: string }) => {
  const [, month = '', day = word] = /^(\d+-)(\d+)$/.exec(word) ?? []
  return (
    <>
      <span>{month}</span>
      {day}
    </>
  )
}

const dayColumns = (): ExportColumn[] => [
  { key: 'day', head: t('日期', { context: 'column' }) },
  ...alarmLevels.map(
    (level): ExportColumn => ({ key: `levels.${level - 1}`, head: t(alarmLevelLabels[level]), type: 'number' }),
  ),
]

function Days({ days }: Pick<Alarms, 'days'>) {
  const { meta } = useLayout()
  const navigate = useNavigate()
  const option = useMemo(() => daysOption(days, meta), [days, meta])
  const pathOf = (day: Alarms['days'][number]) => dayAlarmsPath(day, day === days.at(-1))
  const open = (index: number) => {
    const day = days[index]
    if (day) void navigate(pathOf(day))
  }
  const inset = { '--home-axis-room': `${axisRoom(days, meta)}px` } as CSSProperties
  return (
    <div className="home-days line-bottom column" style={inset}>
      <div className="home-subhead flex baseline between fixed softer small">
        <h3>{t('近 7 天新增')}</h3>
        <span>
          {t('前 6 天日均 {average, number}', { average: averageBefore(days) })}
          <ChartExport
            title={t('近 7 天新增')}
            columns={dayColumns}
            rows="alarms.days"
            source={{ path: readHomeSummary.path, bodies: [{}] }}
          />
        </span>
      </div>
      <FillChart
        option={option}
        label={t('近 7 天每天新增的告警，按级别')}
        onClick={({ dataIndex }) => open(dataIndex)}
      />
      <ul className="quiet small nowrap">
        {days.map((day, index) => (
          <li key={day.day}>
            <Link
              to={pathOf(day)}
              aria-label={t('{day}新增告警 {count, number} 次', {
                day: dayWord(days, index),
                count: sumOf(day.levels),
              })}
            >
              <DayWord word={dayWord(days, index)} />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

const tabs = [
  ['latest', '最新告警'],
  ['top', '告警最多的设备'],
] as const

export function AlarmPanel({ alarms, timeZone }: Pick<HomeSummary, 'alarms' | 'timeZone'>) {
  const [tab, setTab] = useState<'latest' | 'top'>('latest')
  const open = sumOf(alarms.open)
  const today = alarms.days.at(-1)
  return (
    <Panel
      title={t('未处理告警')}
      className="home-alarms grow"
      note={<Link to={openAlarmsPath()}>{t('{count, number} 条', { count: open })}</Link>}
      side={
        <>
          {today && (
            <Link to={dayAlarmsPath(today, true)}>
              {t('{day}新增 {count, number}', { day: todayWord(timeZone), count: alarms.today })}
            </Link>
          )}
          {t(' · 已处理 {handled, number}', { handled: alarms.handledToday })}
        </>
      }
    >
      <Strip open={alarms.open} />
      <Days days={alarms.days} />
      <div className="home-subhead home-tabs flex baseline fixed softer small">
        {tabs.map(([key, label]) => (
          <button key={key} type="button" aria-pressed={tab === key} onClick={() => setTab(key)}>
            {t(label)}
          </button>
        ))}
      </div>
      {tab === 'latest' ? <LatestAlarms latest={alarms.latest} /> : <TopDevices top={alarms.top} />}
    </Panel>
  )
}
