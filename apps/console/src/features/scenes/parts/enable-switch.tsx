import { WarningFilled } from '@ant-design/icons'
import { type Scene, SceneStatus, updateScene } from '@ithings/contract/features/scenes/info.ts'
import { t } from '@ithings/contract/text.ts'
import { App, Switch, Tooltip } from 'antd'
import { useState } from 'react'
import { useMay } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { withIndex } from '#kit/with-index.ts'
import { useSceneWork } from '../queries.ts'

type Judged = Pick<Scene, 'status' | 'problems' | 'hints'>

/** What is gone keeps a scene off; hints are told and keep nobody from anything (screens.md 11). */
export function switchState({ status, problems, hints }: Judged) {
  const enabled = status === SceneStatus.enabled
  const broken = problems.length > 0
  return {
    enabled,
    blocked: broken && !enabled,
    notes: [
      ...(broken ? [enabled ? t('已启用，但不能完整执行：') : t('不能启用：'), ...problems] : []),
      ...(hints.length > 0 ? [t('提醒：'), ...hints] : []),
    ],
    mark: broken ? t('有问题') : hints.length > 0 ? t('有提醒') : undefined,
  }
}

/** On or off at once; a scene that lacks something cannot be switched on and says what. */
export function EnableSwitch({ scene }: { scene: Scene }) {
  const { message } = App.useApp()
  const work = useSceneWork()
  const may = useMay()
  /** What was asked for, until the list knows. */
  const [wanted, setWanted] = useState<boolean>()
  const { enabled, blocked, notes, mark } = switchState(scene)
  const why = mark && withIndex(notes).map(({ no, item }) => <div key={no}>{item}</div>)
  const change = async (on: boolean) => {
    const { name } = scene
    setWanted(on)
    try {
      await work.setStatus(scene, on ? SceneStatus.enabled : SceneStatus.disabled)
      void message.success(on ? t('已启用「{name}」', { name }) : t('已禁用「{name}」', { name }))
    } catch (error) {
      const values = { name, reason: describeError(error).reason }
      void message.error(on ? t('不能启用「{name}」：{reason}', values) : t('不能禁用「{name}」：{reason}', values))
    } finally {
      setWanted(undefined)
    }
  }
  return (
    <Tooltip title={why}>
      <span className="enable-switch inline-row gap-8">
        <Switch
          size="small"
          aria-label={t('启用 {name}', { name: scene.name })}
          checked={wanted ?? enabled}
          loading={wanted !== undefined}
          disabled={blocked || !may(updateScene)}
          onChange={(on) => void change(on)}
        />
        {mark && <WarningFilled className="enable-warning" role="img" aria-label={mark} />}
      </span>
    </Tooltip>
  )
}
