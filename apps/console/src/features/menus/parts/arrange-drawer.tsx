import { ArrowDownOutlined, ArrowLeftOutlined, ArrowRightOutlined, ArrowUpOutlined } from '@ant-design/icons'
import type { Menu } from '@ithings/contract/features/menus.ts'
import { App, Button, Drawer, Progress, Space, Tooltip } from 'antd'
import { useState } from 'react'
import { LeaveGuard, useAskDiscard } from '#kit/leave-guard.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { type Step, stepPlace } from '../menu-moves.ts'
import { ArrangeResult } from './arrange-result.tsx'
import { ArrangeTree } from './arrange-tree.tsx'
import { useArrange } from './use-arrange.ts'

interface ArrangeDrawerProps {
  list: readonly Menu[]
  open: boolean
  onClose: () => void
}

const steps: { way: Step; label: string; icon: React.ReactNode }[] = [
  { way: 'up', label: '上移', icon: <ArrowUpOutlined /> },
  { way: 'down', label: '下移', icon: <ArrowDownOutlined /> },
  { way: 'in', label: '移入上一项', icon: <ArrowRightOutlined /> },
  { way: 'out', label: '移出一级', icon: <ArrowLeftOutlined /> },
]

/** Order and nesting by drag, or by arrows where dragging is not possible (keyboard, touch); saved in one batch. */
export function ArrangeDrawer({ list, open, onClose }: ArrangeDrawerProps) {
  const phone = usePhone()
  const { message } = App.useApp()
  const ask = useAskDiscard()
  const { tree, moves, move, step, reset, save, progress, result } = useArrange(list)
  const [chosen, setChosen] = useState<number>()
  const busy = progress !== undefined
  const name = list.find((menu) => menu.id === chosen)?.name

  const leave = () => {
    reset()
    setChosen(undefined)
    onClose()
  }
  const discardText = `有 ${moves.length} 项调整还没有保存，离开后将丢失。`
  const close = () => {
    if (busy) return
    if (moves.length === 0) return leave()
    ask(discardText, leave)
  }
  const submit = async () => {
    const count = moves.length
    if (!(await save())) return
    void message.success(`已保存 ${count} 项调整`)
    leave()
  }

  return (
    <Drawer
      title="调整菜单结构"
      open={open}
      onClose={close}
      size={phone ? '100%' : 560}
      rootClassName={phone ? 'form-drawer form-drawer-phone' : 'form-drawer'}
      closable={{ placement: 'end' }}
      destroyOnHidden
      footer={
        <div className="form-buttons">
          <span className="form-footer-extra meta" role="status">
            {busy ? `正在保存 ${progress} / ${moves.length}` : moves.length > 0 && `${moves.length} 项待保存`}
          </span>
          <Button onClick={reset} disabled={busy || moves.length === 0}>
            还原
          </Button>
          <Button type="primary" loading={busy} disabled={moves.length === 0} onClick={() => void submit()}>
            保存
          </Button>
        </div>
      }
    >
      <LeaveGuard ofDialog dirty={open && moves.length > 0} text={discardText} />
      {busy && (
        <Progress
          percent={Math.round((progress / Math.max(1, moves.length)) * 100)}
          showInfo={false}
          size="small"
          aria-label="保存进度"
        />
      )}
      {result && <ArrangeResult result={result} left={moves.length} />}
      <div className="arrange-bar row between gap-12">
        <span className="meta">{name ? `已选「${name}」` : '拖动菜单改变顺序或层级；也可以点选后用箭头移动。'}</span>
        <Space.Compact>
          {steps.map(({ way, label, icon }) => (
            <Tooltip key={way} title={label}>
              <Button
                icon={icon}
                aria-label={label}
                disabled={busy || chosen === undefined || !stepPlace(tree, chosen, way)}
                onClick={() => chosen !== undefined && step(chosen, way)}
              />
            </Tooltip>
          ))}
        </Space.Compact>
      </div>
      <ArrangeTree
        tree={tree}
        moved={new Set(moves.map((one) => one.menu.id))}
        disabled={busy}
        chosen={chosen}
        onChoose={setChosen}
        onMove={move}
      />
    </Drawer>
  )
}
