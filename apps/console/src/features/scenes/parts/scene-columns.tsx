import { AlarmStatus, alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import { RunResult, runResultLabels, type Scene, SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { triggerTypeLabels } from '@ithings/contract/rules/scene-text.ts'
import { t } from '@ithings/contract/text.ts'
import { Tooltip } from 'antd'
import { Link } from 'react-router'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { RunIcon } from '#blocks/scene-runs/run-icon.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { numberText } from '#kit/number-text.ts'
import { scenePath } from '#kit/paths.ts'
import { labelOf } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { withIndex } from '#kit/with-index.ts'
import { EnableSwitch } from './enable-switch.tsx'
import { ruleText, SceneRule } from './scene-rule.tsx'
import { TriggerIcon } from './trigger-icon.tsx'

const width = 6
const gap = 1.5
const height = 20
const days = 7

/** Seven bars, today on the right; a day without a firing is a thin line. */
function FiredWeek({ firedByDay }: { firedByDay: readonly number[] }) {
  const week = Array.from({ length: days }, (_, at) => firedByDay[firedByDay.length - days + at] ?? 0)
  const total = week.reduce((sum, fired) => sum + fired, 0)
  const most = Math.max(1, ...week)
  return (
    <span
      className="fired-week inline-row gap-8"
      title={t('近 7 天（今天在右）：{week}', { week: week.map((fired) => numberText(fired)).join(t('、')) })}
    >
      <svg viewBox={`0 0 ${days * (width + gap)} ${height}`} aria-hidden="true">
        {withIndex(week).map(({ no, item: fired }) => {
          const tall = fired === 0 ? 1 : Math.max(2, (fired / most) * height)
          const tone = fired === 0 ? 'fired-none' : 'fired-bar'
          return <rect key={no} className={tone} x={no * (width + gap)} y={height - tall} width={width} height={tall} />
        })}
      </svg>
      {numberText(total)}
    </span>
  )
}

/** How it went the last time; a scene that never ran says so. */
function LastRun({ scene }: { scene: Pick<Scene, 'lastRunTime' | 'lastResult' | 'lastText'> }) {
  const { lastRunTime, lastResult, lastText } = scene
  if (lastRunTime === 0) {
    return (
      <span className="last-run inline-row top gap-8">
        <RunIcon result={RunResult.missed} />
        <span>{t('从未执行')}</span>
      </span>
    )
  }
  const failed = lastResult === RunResult.failed || lastResult === RunResult.partly
  return (
    <span className="last-run inline-row top gap-8">
      <RunIcon result={lastResult} />
      <span>
        <TimeText value={lastRunTime} />
        {lastText && (
          <span className={`last-run-why block line-18 cut small ${failed ? 'tone-error' : 'softer'}`} title={lastText}>
            {lastText}
          </span>
        )}
      </span>
    </span>
  )
}

/** The worst level; the names, and how many more, on hover. */
function LinkedAlarms({ alarms }: Pick<Scene, 'alarms'>) {
  const worst = alarms.toSorted((one, other) => other.level - one.level)[0]
  if (!worst) return <span className="no-value">—</span>
  return (
    <Tooltip
      title={alarms.map(({ id, name, status }) => (
        <div key={id}>
          {name}
          {status === AlarmStatus.disabled && t('（已禁用）')}
        </div>
      ))}
    >
      <span className="inline-row gap-8">
        <AlarmLevelMark level={worst.level} />
        {alarms.length > 1 && <span className="meta">+{alarms.length - 1}</span>}
      </span>
    </Tooltip>
  )
}

function NameCell({ scene }: { scene: Scene }) {
  return (
    <div className="scene-name column">
      <Link className="cut bold" to={scenePath(scene.id)} title={scene.desc || scene.name}>
        {scene.name}
      </Link>
      <span className="regular size-13 inline-row softer gap-6">
        <TriggerIcon type={scene.triggerType} />
        {labelOf(triggerTypeLabels, scene.triggerType)}
      </span>
    </div>
  )
}

/** screens.md 10. */
export const sceneColumns = (): ListColumn<Scene>[] => [
  {
    key: 'name',
    title: t('场景'),
    className: 'cell-name',
    sorter: true,
    hideable: false,
    phone: 'title',
    render: (_value, row) => <NameCell scene={row} />,
    exportText: (row) => row.name,
  },
  {
    key: 'rule',
    title: t('规则'),
    className: 'cell-rule',
    phone: 'subtitle',
    render: (_value, row) => <SceneRule scene={row} />,
    exportText: ruleText,
  },
  {
    key: 'alarms',
    title: t('关联告警'),
    className: 'cell-alarms',
    phone: 'meta',
    render: (_value, row) => <LinkedAlarms alarms={row.alarms} />,
    exportText: (row) =>
      row.alarms
        .map(({ name, level }) => t('{name}（{level}）', { name, level: labelOf(alarmLevelLabels, level) }))
        .join(t('；')),
  },
  {
    key: 'fired',
    title: t('近 7 天触发'),
    className: 'cell-fired',
    phone: 'meta',
    render: (_value, row) => <FiredWeek firedByDay={row.firedByDay} />,
    exportText: (row) => row.firedByDay.reduce((sum, fired) => sum + fired, 0),
  },
  {
    key: 'lastRunTime',
    title: t('最近执行'),
    className: 'cell-last',
    sorter: true,
    phone: 'meta',
    render: (_value, row) => <LastRun scene={row} />,
    exportText: (row) =>
      row.lastRunTime > 0
        ? `${formatTime(row.lastRunTime)} ${labelOf(runResultLabels, row.lastResult)} ${row.lastText}`
        : t('从未执行'),
  },
  { key: 'nextRunTime', title: t('下次执行'), hiddenAtFirst: true, time: 'relative' },
  {
    key: 'status',
    title: t('启用', { context: 'state' }),
    className: 'cell-status',
    sorter: true,
    phone: 'status',
    render: (_value, row) => <EnableSwitch scene={row} />,
    exportText: (row) => (row.status === SceneStatus.enabled ? t('已启用') : t('已禁用')),
  },
  {
    key: 'updatedTime',
    title: t('更新时间'),
    hiddenAtFirst: true,
    sorter: true,
    render: (_value, row) => (
      <>
        <TimeText value={row.updatedTime} /> <span className="meta">{row.updatedBy}</span>
      </>
    ),
    exportText: (row) => formatTime(row.updatedTime),
  },
]
