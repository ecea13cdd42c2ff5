import { alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import { runResultLabels, type Scene, SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { triggerTypeLabels } from '@ithings/contract/rules/scene-text.ts'
import { Link } from 'react-router'
import { scenePath } from '#blocks/scene-paths.ts'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { labelOf } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { EnableSwitch } from './enable-switch.tsx'
import { FiredWeek } from './fired-week.tsx'
import { LastRun } from './last-run.tsx'
import { LinkedAlarms } from './linked-alarms.tsx'
import { ruleText, SceneRule } from './scene-rule.tsx'
import { TriggerIcon } from './trigger-icon.tsx'

function NameCell({ scene }: { scene: Scene }) {
  return (
    <div className="scene-name column">
      <Link to={scenePath(scene.id)} title={scene.desc || scene.name}>
        {scene.name}
      </Link>
      <span className="scene-kind inline-row softer gap-6">
        <TriggerIcon type={scene.triggerType} />
        {labelOf(triggerTypeLabels, scene.triggerType)}
      </span>
    </div>
  )
}

/** screens.md 10. */
export const sceneColumns: ListColumn<Scene>[] = [
  {
    key: 'name',
    title: '场景',
    className: 'cell-name',
    sorter: true,
    hideable: false,
    phone: 'title',
    render: (_value, row) => <NameCell scene={row} />,
    exportText: (row) => row.name,
  },
  {
    key: 'rule',
    title: '规则',
    className: 'cell-rule',
    phone: 'subtitle',
    render: (_value, row) => <SceneRule scene={row} />,
    exportText: ruleText,
  },
  {
    key: 'alarms',
    title: '关联告警',
    className: 'cell-alarms',
    phone: 'meta',
    render: (_value, row) => <LinkedAlarms alarms={row.alarms} />,
    exportText: (row) =>
      row.alarms.map(({ name, level }) => `${name}（${labelOf(alarmLevelLabels, level)}）`).join('；'),
  },
  {
    key: 'fired',
    title: '近 7 天触发',
    className: 'cell-fired',
    phone: 'meta',
    render: (_value, row) => <FiredWeek firedByDay={row.firedByDay} />,
    exportText: (row) => row.firedByDay.reduce((sum, fired) => sum + fired, 0),
  },
  {
    key: 'lastRunTime',
    title: '最近执行',
    className: 'cell-last',
    sorter: true,
    phone: 'meta',
    render: (_value, row) => <LastRun scene={row} />,
    exportText: (row) =>
      row.lastRunTime > 0
        ? `${formatTime(row.lastRunTime)} ${labelOf(runResultLabels, row.lastResult)} ${row.lastText}`
        : '从未执行',
  },
  {
    key: 'nextRunTime',
    title: '下次执行',
    hiddenAtFirst: true,
    render: (_value, row) => <TimeText value={row.nextRunTime} />,
    exportText: (row) => formatTime(row.nextRunTime),
  },
  {
    key: 'status',
    title: '启用',
    className: 'cell-status',
    sorter: true,
    phone: 'status',
    render: (_value, row) => <EnableSwitch scene={row} />,
    exportText: (row) => (row.status === SceneStatus.enabled ? '已启用' : '已禁用'),
  },
  {
    key: 'updatedTime',
    title: '更新时间',
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
