import { AlarmStatus, linkScenes } from '@ithings/contract/features/alarms/config.ts'
import { Alert } from 'antd'
import { Link } from 'react-router'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { alarmEditPath } from '#blocks/alarm-records/alarm-paths.ts'
import { AlarmsPicker } from '#blocks/alarms-picker.tsx'
import { useMay } from '#kit/rights.tsx'
import { useEditor } from '../editor-context.ts'

export function AlarmNames() {
  const { alarms } = useEditor()
  return (
    <span className="step-alarms flex wrap">
      {alarms.slice(0, 3).map(({ id, name, level }) => (
        <span key={id}>
          {name} <AlarmLevelMark level={level} filled />
        </span>
      ))}
      {alarms.length > 3 && <span className="meta">等 {alarms.length} 个</span>}
    </span>
  )
}

/** It acts on all alarms that are linked to the scene, so every such step shows the same ones. */
export function AlarmStep({ mode }: { mode: 'trigger' | 'relieve' }) {
  const { draft, change, alarms } = useEditor()
  const may = useMay()
  return (
    <div className="step-alarm-list">
      <AlarmsPicker
        value={draft.alarmIDs}
        disabled={!may(linkScenes) || undefined}
        onChange={(alarmIDs) => change((old) => ({ ...old, alarmIDs }))}
      />
      {draft.alarmIDs.length === 0 ? (
        <Alert
          type="warning"
          showIcon
          title={`还没有告警关联这个场景，${mode === 'trigger' ? '触发' : '解除'}告警不会有结果`}
        />
      ) : (
        <span className="meta">
          {mode === 'trigger'
            ? '对关联的告警各触发一次；同一设备的告警合并成一条记录并计次。'
            : '解除关联告警中这台设备的记录；定时与手动场景解除全部。'}
        </span>
      )}
      <ul>
        {alarms.map(({ id, name, level, status }) => (
          <li key={id}>
            <Link to={alarmEditPath(id)}>{name}</Link>
            <AlarmLevelMark level={level} filled />
            {status === AlarmStatus.disabled && <span className="tone-warning">已禁用，不会触发</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
