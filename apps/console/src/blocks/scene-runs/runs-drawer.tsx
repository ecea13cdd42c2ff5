import { Drawer } from 'antd'
import { usePhone } from '#kit/use-phone.ts'
import { RunList } from './run-list.tsx'

interface RunsDrawerProps {
  /** Stays while the drawer closes. */
  scene: { id: number; name: string } | undefined
  open: boolean
  onClose: () => void
}

/** 日志 of a scene beside its list or editor. */
export function RunsDrawer({ scene, open, onClose }: RunsDrawerProps) {
  const phone = usePhone()
  return (
    <Drawer
      title={scene ? `执行记录 · ${scene.name}` : '执行记录'}
      open={open}
      onClose={onClose}
      size={phone ? '100%' : 720}
      closable={{ placement: 'end' }}
    >
      {scene && <RunList key={scene.id} sceneID={scene.id} />}
    </Drawer>
  )
}
