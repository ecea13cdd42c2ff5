import { triggerTypeLabels, triggerTypes } from '@ithings/contract/rules/scene-text.ts'
import { Modal } from 'antd'
import { Link } from 'react-router'
import { newScenePath } from '#blocks/scene-paths.ts'
import { triggerTypeHelp } from '../labels.ts'
import { TriggerIcon } from './trigger-icon.tsx'

/** screens.md 10: what starts the new scene; everything else is said in the editor. */
export function CreateScene({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Modal title="新增场景：由什么触发？" open={open} onCancel={onClose} footer={null} width={640}>
      <div className="trigger-tiles">
        {triggerTypes.map((type) => (
          <Link key={type} className="trigger-tile column gap-4" to={newScenePath(type)} onClick={onClose}>
            <TriggerIcon type={type} />
            <b>{triggerTypeLabels[type]}</b>
            <span>{triggerTypeHelp[type]}</span>
          </Link>
        ))}
      </div>
    </Modal>
  )
}
