import { ArrowLeftOutlined } from '@ant-design/icons'
import { type TriggerType, triggerTypeLabels, triggerTypes } from '@ithings/contract/rules/scene-text.ts'
import { Button } from 'antd'
import { Link, useNavigate } from 'react-router'
import { newScenePath, scenesPath } from '#blocks/scene-paths.ts'
import { triggerTypeHelp } from '../../labels.ts'
import { TriggerIcon } from '../../parts/trigger-icon.tsx'

/** screens.md 10: what starts the scene is asked first; the rest of the editor depends on it. */
export function TypeChooser() {
  const navigate = useNavigate()
  const tile = (type: TriggerType) => (
    <li key={type}>
      <Link replace to={newScenePath(type)} className="sheet type-tile column gap-8">
        <span className="type-icon">
          <TriggerIcon type={type} />
        </span>
        <b>{triggerTypeLabels[type]}</b>
        <span className="meta">{triggerTypeHelp[type]}</span>
      </Link>
    </li>
  )
  return (
    <div className="type-chooser">
      <header className="scene-header">
        <Button
          type="text"
          icon={<ArrowLeftOutlined />}
          aria-label="返回场景列表"
          onClick={() => void navigate(scenesPath)}
        />
        <h1 className="scene-title">新增场景</h1>
        <span className="meta">什么时候运行？</span>
      </header>
      <ul>{triggerTypes.map(tile)}</ul>
    </div>
  )
}
