import { AlarmStatus } from '@ithings/contract/features/alarms/config.ts'
import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import { Alert } from 'antd'
import { Link } from 'react-router'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { useEditor } from '../editor-context.ts'

const alarmsPath = '/alarmMangers/alarmConfiguration/index'

export const AlarmNames = ({ alarms }: Pick<Scene, 'alarms'>) => (
  <span className="step-alarms">
    {alarms.slice(0, 3).map(({ id, name, level }) => (
      <span key={id}>
        {name} <AlarmLevelMark level={level} filled />
      </span>
    ))}
    {alarms.length > 3 && <span className="meta">等 {alarms.length} 个</span>}
  </span>
)

/** rules.md 5: it acts on all alarms that are linked to the scene; which ones is set at the alarms. */
export function AlarmStep({ mode }: { mode: 'trigger' | 'relieve' }) {
  const { scene } = useEditor()
  const alarms = scene?.alarms ?? []
  const word = mode === 'trigger' ? '触发' : '解除'
  if (alarms.length === 0) {
    return (
      <Alert
        type="warning"
        showIcon
        title={`还没有告警关联这个场景，${word}告警不会有结果`}
        description={
          <>
            {scene ? '' : '保存场景后，'}到 <Link to={alarmsPath}>告警配置</Link>{' '}
            选择或新建一个告警，在“关联场景”里加入它。
          </>
        }
      />
    )
  }
  return (
    <div className="step-alarm-list">
      <span className="meta">
        {mode === 'trigger'
          ? '对关联的告警各触发一次；同一设备的告警合并成一条记录并计次。'
          : '解除关联告警中这台设备的记录；定时与手动场景解除全部。'}
      </span>
      <ul>
        {alarms.map(({ id, name, level, status }) => (
          <li key={id}>
            <Link to={`/alarmMangers/alarmConfiguration/save?id=${id}`}>{name}</Link>
            <AlarmLevelMark level={level} filled />
            {status === AlarmStatus.disabled && <span className="tone-warning">已禁用，不会触发</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
