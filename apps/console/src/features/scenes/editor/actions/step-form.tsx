import { AlarmStatus, linkScenes } from '@ithings/contract/features/alarms/config.ts'
import { listScenes, type Scene } from '@ithings/contract/features/scenes/info.ts'
import { sceneLimits } from '@ithings/contract/rules/scene-limits.ts'
import type { SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert } from 'antd'
import { Link } from 'react-router'
import { call } from '#api/call.ts'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { AlarmsPicker } from '#blocks/alarms-picker.tsx'
import { alarmEditPath, scenePath } from '#kit/paths.ts'
import { type PickerSource, RemotePicker } from '#kit/remote-picker.tsx'
import { useMay } from '#kit/rights.tsx'
import { useMemo } from '#language/use-memo.ts'
import { type PartProps, useEditor } from '../editor-context.ts'
import { runsScene } from '../logic/runs-scene.ts'
import { DurationInput } from '../parts/duration-input.tsx'
import { Field } from '../parts/field.tsx'
import { NotifyStep } from './notify-step.tsx'
import { OutputStep } from './output-step.tsx'

export function StepForm({ item, value: part, onChange }: PartProps<SceneAction>) {
  const { delay, device, alarm, notify, scene } = part
  if (delay) {
    return (
      <div className="scene-row row wrap shrink gap-8">
        <span className="softer nowrap">{t('等待')}</span>
        <DurationInput
          label={t('延时')}
          value={delay.time}
          unit={delay.unit}
          onChange={(time, unit) => onChange({ ...part, delay: { time: time ?? 0, unit } })}
        />
        <span className="meta">{t('最长 24 小时；服务重启后接着计时，到点继续后面的动作。')}</span>
      </div>
    )
  }
  if (device) return <OutputStep item={item} value={device} onChange={(next) => onChange({ ...part, device: next })} />
  if (alarm) return <AlarmStep mode={alarm.mode} />
  if (notify) return <NotifyStep item={item} value={notify} onChange={(next) => onChange({ ...part, notify: next })} />
  if (scene) return <SceneStep item={item} value={scene} onChange={(next) => onChange({ ...part, scene: next })} />
  return null
}

export function AlarmNames() {
  const { alarms } = useEditor()
  return (
    <span className="flex wrap gap-12">
      {alarms.slice(0, 3).map(({ id, name, level }) => (
        <span key={id}>
          {name} <AlarmLevelMark level={level} filled />
        </span>
      ))}
      {alarms.length > 3 && <span className="meta">{t('等 {count} 个', { count: alarms.length })}</span>}
    </span>
  )
}

/** It acts on all alarms that are linked to the scene, so every such step shows the same ones. */
function AlarmStep({ mode }: { mode: 'trigger' | 'relieve' }) {
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
          title={
            mode === 'trigger'
              ? t('还没有告警关联这个场景，触发告警不会有结果')
              : t('还没有告警关联这个场景，解除告警不会有结果')
          }
        />
      ) : (
        <span className="meta">
          {mode === 'trigger'
            ? t('对关联的告警各触发一次；同一设备的告警合并成一条记录并计次。')
            : t('解除关联告警中这台设备的记录；定时与手动场景解除全部。')}
        </span>
      )}
      <ul className="bare-list">
        {alarms.map(({ id, name, level, status }) => (
          <li key={id} className="flex wrap">
            <Link to={alarmEditPath(id)}>{name}</Link>
            <AlarmLevelMark level={level} filled />
            {status === AlarmStatus.disabled && <span className="tone-warning">{t('已禁用，不会触发')}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}

const quiet = { quiet: true }

/** Scenes that would lead back here are not offered; longer ways round are refused by the platform on saving. */
const sceneSource = (self: number | undefined): PickerSource => {
  const optionOf = ({ id, name, then }: Scene) => {
    const why = id === self ? t('当前场景') : self !== undefined && runsScene(then, self) ? t('会形成循环') : ''
    return { value: String(id), label: name, disabled: why !== '', ...(why && { hint: why }) }
  }
  return {
    key: [listScenes.path, 'choose', self],
    search: async ({ text, page, size }) => {
      const { list, total } = await call(listScenes, { name: text, page: { page, size } }, quiet)
      return { list: list.map(optionOf), total }
    },
    resolve: async (ids) => {
      const body = { sceneIDs: ids.map(Number), page: { page: 1, size: ids.length } }
      return (await call(listScenes, body, quiet)).list.map(optionOf)
    },
  }
}

function SceneStep({ item, value, onChange }: PartProps<{ sceneID: number }>) {
  const { scene } = useEditor()
  const self = scene?.id
  const source = useMemo(() => sceneSource(self), [self])
  return (
    <div className="scene-row row wrap shrink gap-8">
      <span className="softer nowrap">{t('执行')}</span>
      <Field item={item} name="scene.sceneID" width={280}>
        <RemotePicker
          aria-label={t('场景')}
          placeholder={t('选择场景')}
          allowClear={false}
          source={source}
          value={value.sceneID ? String(value.sceneID) : undefined}
          onChange={(id) => onChange({ sceneID: Number(id ?? 0) })}
        />
      </Field>
      {value.sceneID > 0 && (
        <Link to={scenePath(value.sceneID)} target="_blank">
          {t('查看')}
        </Link>
      )}
      <span className="meta">
        {t('直接执行它的动作；禁用的场景不会执行，最多连续 {depth} 层。', { depth: sceneLimits.chainDepth })}
      </span>
    </div>
  )
}
