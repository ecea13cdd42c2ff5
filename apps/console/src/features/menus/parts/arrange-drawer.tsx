import { ArrowDownOutlined, ArrowLeftOutlined, ArrowRightOutlined, ArrowUpOutlined } from '@ant-design/icons'
import type { Menu } from '@ithings/contract/features/menus.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, App, Button, Progress, Space, Tooltip } from 'antd'
import { useState } from 'react'
import { DialogFooter } from '#kit/form/dialog-footer.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { type MoveResult, moveNode, movesTo, type Place, type Step, saveMoves, stepPlace } from '../menu-moves.ts'
import { buildTree, type MenuNode } from '../menu-tree.ts'
import { putMenu, useMenusChanged } from '../queries.ts'
import { ArrangeTree } from './arrange-tree.tsx'

const idsOf = (list: readonly Menu[]) =>
  list
    .map((menu) => menu.id)
    .toSorted((a, b) => a - b)
    .join()

/** A draft of the tree over the stored menu: moved freely, saved in one go, compared again with what is stored. */
function useArrange(list: readonly Menu[]) {
  const changed = useMenusChanged()
  const ids = idsOf(list)
  const [draft, setDraft] = useState<{ ids: string; tree: MenuNode[] }>()
  const [progress, setProgress] = useState<number>()
  const [result, setResult] = useState<MoveResult>()
  // Somebody added or deleted an entry meanwhile: the draft of another set of entries is worthless.
  const tree = draft?.ids === ids ? draft.tree : buildTree(list)
  const moves = movesTo(tree, list)

  const move = (id: number, place: Place) => {
    setResult(undefined)
    setDraft({ ids, tree: moveNode(tree, id, place) })
  }
  const step = (id: number, way: Step) => {
    const place = stepPlace(tree, id, way)
    if (place) move(id, place)
  }
  const reset = () => {
    setResult(undefined)
    setDraft(undefined)
  }
  /** True when everything was taken. The draft stays otherwise, so that another try sends only the rest. */
  const save = async (): Promise<boolean> => {
    setResult(undefined)
    setProgress(0)
    const outcome = await saveMoves(
      moves,
      ({ menu, parentID, order }) => putMenu({ id: menu.id, name: menu.name, parentID, order, rev: menu.rev }),
      setProgress,
    )
    await changed()
    setProgress(undefined)
    setResult(outcome)
    return outcome.failures.length === 0
  }
  return { tree, moves, move, step, reset, save, progress, result }
}

/** What was saved and what was not, by name and reason; the rest is still in the draft. */
function ArrangeResult({ result, left }: { result: MoveResult; left: number }) {
  if (result.failures.length === 0) return null
  return (
    <Alert
      className="below-16"
      type="error"
      showIcon
      title={t('{saved} 项已保存，{failed} 项没有保存', { saved: result.saved, failed: result.failures.length })}
      description={
        <>
          <ul style={{ margin: '4px 0', paddingInlineStart: 20 }}>
            {result.failures.map(({ menu, error }) => (
              <li key={menu.id}>{t('{name}：{reason}', { name: menu.name, reason: describeError(error).reason })}</li>
            ))}
          </ul>
          {left > 0
            ? t('已读取最新内容。还有 {count} 项调整保留着，可以再次保存或还原。', { count: left })
            : t('已读取最新内容。现在的结构与你的调整一致。')}
        </>
      }
    />
  )
}

const steps: { way: Step; label: string; icon: React.ReactNode }[] = [
  { way: 'up', label: '上移', icon: <ArrowUpOutlined /> },
  { way: 'down', label: '下移', icon: <ArrowDownOutlined /> },
  { way: 'in', label: '移入上一项', icon: <ArrowRightOutlined /> },
  { way: 'out', label: '移出一级', icon: <ArrowLeftOutlined /> },
]

/** Order and nesting by drag, or by arrows where dragging is not possible (keyboard, touch); saved in one batch. */
export function ArrangeDrawer({ list, open, onClose }: { list: readonly Menu[]; open: boolean; onClose: () => void }) {
  const { message } = App.useApp()
  const { tree, moves, move, step, reset, save, progress, result } = useArrange(list)
  const [chosen, setChosen] = useState<number>()
  const busy = progress !== undefined
  const name = list.find((menu) => menu.id === chosen)?.name

  const leave = () => {
    reset()
    setChosen(undefined)
    onClose()
  }
  const submit = async () => {
    const count = moves.length
    if (!(await save())) return
    void message.success(t('已保存 {count} 项调整', { count }))
    leave()
  }

  return (
    <SideDrawer
      title={t('调整菜单结构')}
      width={560}
      open={open}
      onClose={leave}
      busy={busy}
      unsaved={moves.length > 0 && t('有 {count} 项调整还没有保存，离开后将丢失。', { count: moves.length })}
      footer={
        <DialogFooter
          left={
            <span className="meta" role="status">
              {busy
                ? t('正在保存 {done} / {total}', { done: progress, total: moves.length })
                : moves.length > 0 && t('{count} 项待保存', { count: moves.length })}
            </span>
          }
        >
          <Button onClick={reset} disabled={busy || moves.length === 0}>
            {t('还原')}
          </Button>
          <Button type="primary" loading={busy} disabled={moves.length === 0} onClick={() => void submit()}>
            {t('保存')}
          </Button>
        </DialogFooter>
      }
    >
      {busy && (
        <Progress
          percent={Math.round((progress / Math.max(1, moves.length)) * 100)}
          showInfo={false}
          size="small"
          aria-label={t('保存进度')}
        />
      )}
      {result && <ArrangeResult result={result} left={moves.length} />}
      <div className="arrange-bar row between gap-12">
        <span className="meta">
          {name ? t('已选「{name}」', { name }) : t('拖动菜单改变顺序或层级；也可以点选后用箭头移动。')}
        </span>
        <Space.Compact>
          {steps.map(({ way, label, icon }) => (
            <Tooltip key={way} title={t(label)}>
              <Button
                icon={icon}
                aria-label={t(label)}
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
    </SideDrawer>
  )
}
