import { type TriggerType, triggerTypes } from '@ithings/contract/rules/scene-limits.ts'
import { triggerTypeLabels } from '@ithings/contract/rules/scene-text.ts'
import { t } from '@ithings/contract/text.ts'
import { Modal } from 'antd'
import { Link, type LinkProps } from 'react-router'
import './create-scene.css'
import { newScenePath } from '#kit/paths.ts'
import { TriggerIcon } from './trigger-icon.tsx'

const help: Record<TriggerType, string> = {
  device: '设备上线、下线、上报属性或事件，或长时间没有数据时执行',
  timer: '每天、每周、每月或按 cron 表达式到点执行',
  manual: '由人点击“执行”，或由别的场景调用',
}

/** What each kind of scene is for, where one is chosen. */
export const TriggerTiles = (link: Pick<LinkProps, 'onClick' | 'replace'>) => (
  <ul className="trigger-tiles gap-12 grid bare-list">
    {triggerTypes.map((type) => (
      <li key={type}>
        <Link
          {...link}
          className="trigger-tile pad-16 bordered round-8 container-fill main-text column gap-4"
          to={newScenePath(type)}
        >
          <TriggerIcon type={type} />
          <b>{t(triggerTypeLabels[type])}</b>
          <span className="meta">{t(help[type])}</span>
        </Link>
      </li>
    ))}
  </ul>
)

/** screens.md 10: what starts the new scene; everything else is said in the editor. */
export function CreateScene({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Modal title={t('新增场景：由什么触发？')} open={open} onCancel={onClose} footer={null} width={640}>
      <TriggerTiles onClick={onClose} />
    </Modal>
  )
}
