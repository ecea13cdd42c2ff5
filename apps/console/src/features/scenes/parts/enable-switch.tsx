import { WarningFilled } from '@ant-design/icons'
import { type Scene, SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { App, Switch, Tooltip } from 'antd'
import { useState } from 'react'
import { describeError } from '#kit/states/describe-error.ts'
import { useSceneWork } from '../queries.ts'

/** On or off at once; a scene that lacks something cannot be switched on and says what. */
export function EnableSwitch({ scene }: { scene: Scene }) {
  const { message } = App.useApp()
  const work = useSceneWork()
  /** What was asked for, until the list knows. */
  const [wanted, setWanted] = useState<boolean>()
  const enabled = scene.status === SceneStatus.enabled
  const broken = scene.problems.length > 0
  const why = broken && (
    <div>
      <div>{enabled ? '已启用，但不能完整执行：' : '不能启用：'}</div>
      {scene.problems.map((problem) => (
        <div key={problem}>{problem}</div>
      ))}
    </div>
  )
  const change = async (on: boolean) => {
    setWanted(on)
    try {
      await work.setStatus(scene, on ? SceneStatus.enabled : SceneStatus.disabled)
      void message.success(`${on ? '已启用' : '已禁用'}「${scene.name}」`)
    } catch (error) {
      void message.error(`${on ? '不能启用' : '不能禁用'}「${scene.name}」：${describeError(error).reason}`)
    } finally {
      setWanted(undefined)
    }
  }
  return (
    <Tooltip title={why}>
      <span className="enable-switch">
        <Switch
          size="small"
          aria-label={`启用 ${scene.name}`}
          checked={wanted ?? enabled}
          loading={wanted !== undefined}
          disabled={broken && !enabled}
          onChange={(on) => void change(on)}
        />
        {broken && <WarningFilled className="enable-warning" role="img" aria-label="有问题" />}
      </span>
    </Tooltip>
  )
}
