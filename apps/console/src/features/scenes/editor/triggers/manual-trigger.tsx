import { PlayCircleOutlined } from '@ant-design/icons'
import { SceneStatus, triggerScene } from '@ithings/contract/features/scenes/info.ts'
import { App, Button, Tooltip } from 'antd'
import { useState } from 'react'
import { May } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { useSceneWork } from '../../queries.ts'
import { useEditor } from '../editor-context.ts'
import { BlockCard } from '../parts/block-card.tsx'

/** What runs is the saved version, and only when it is enabled (rules.md 4). */
function refusal(scene: ReturnType<typeof useEditor>['scene']): string | undefined {
  if (scene?.triggerType !== 'manual') return '保存后才能执行'
  return scene.status === SceneStatus.enabled ? undefined : '场景已禁用，启用并保存后才能执行'
}

export function ManualTrigger() {
  const { scene } = useEditor()
  const { message } = App.useApp()
  const work = useSceneWork()
  const [running, setRunning] = useState(false)
  const [problem, setProblem] = useState('')
  const why = refusal(scene)
  const run = async () => {
    if (!scene) return
    setRunning(true)
    setProblem('')
    try {
      await work.trigger(scene.id)
      void message.success('已开始执行，结果见“最近执行”')
    } catch (error) {
      setProblem(describeError(error).reason)
    } finally {
      setRunning(false)
    }
  }
  return (
    <BlockCard part="trigger" badge="当" word="IF" title="触发" hint="手动">
      <p className="scene-empty">
        有人点击“执行一次”、别的场景执行它、或调用接口时运行。手动执行不判断条件，直接执行动作。
      </p>
      <div className="scene-row">
        <May needs={triggerScene}>
          <Tooltip title={why}>
            <Button
              icon={<PlayCircleOutlined />}
              disabled={why !== undefined}
              loading={running}
              onClick={() => void run()}
            >
              执行一次
            </Button>
          </Tooltip>
        </May>
        <span className="meta">执行的是已保存的版本</span>
        {problem && <span className="tone-error">{problem}</span>}
      </div>
    </BlockCard>
  )
}
