import { t } from '@ithings/contract/text.ts'
import { Tree, type TreeProps } from 'antd'
import { useState } from 'react'
import { MenuGlyph } from '#blocks/menu-icon.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { menuTypeLooks } from '../labels.ts'
import { childrenIn, mayLieUnder, type Place, parentIn } from '../menu-moves.ts'
import { flatten, type MenuNode } from '../menu-tree.ts'

interface ArrangeTreeProps {
  tree: readonly MenuNode[]
  /** Entries that differ from what is stored. */
  moved: ReadonlySet<number>
  disabled: boolean
  chosen: number | undefined
  onChoose: (id: number | undefined) => void
  onMove: (id: number, place: Place) => void
}

interface TreeItem {
  key: number
  isLeaf: boolean
  menu: MenuNode
  children: TreeItem[]
}

const itemsOf = (nodes: readonly MenuNode[]): TreeItem[] =>
  nodes.map((menu) => ({ key: menu.id, isLeaf: !menu.children, menu, children: itemsOf(menu.children ?? []) }))

export function ArrangeTree({ tree, moved, disabled, chosen, onChoose, onMove }: ArrangeTreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set())
  const drop: TreeProps<TreeItem>['onDrop'] = ({ dragNode, node, dropToGap, dropPosition }) => {
    if (!dropToGap) {
      onMove(dragNode.key, { parentID: node.key, index: 0 })
      return
    }
    const parentID = parentIn(tree, node.key)
    const others = childrenIn(tree, parentID).filter((one) => one.id !== dragNode.key)
    const at = others.findIndex((one) => one.id === node.key)
    // antd counts from the node's own position: one less is the gap above it.
    const above = dropPosition < Number(node.pos.split('-').at(-1))
    onMove(dragNode.key, { parentID, index: above ? at : at + 1 })
  }

  return (
    <Tree<TreeItem>
      className="roomy-tree"
      treeData={itemsOf(tree)}
      expandedKeys={flatten(tree).flatMap((node) => (closed.has(node.id) ? [] : node.id))}
      onExpand={(_keys, { node, expanded }) => {
        const next = new Set(closed)
        if (expanded) next.delete(node.key)
        else next.add(node.key)
        setClosed(next)
      }}
      selectedKeys={chosen === undefined ? [] : [chosen]}
      onSelect={(_keys, { node, selected }) => onChoose(selected ? node.key : undefined)}
      disabled={disabled}
      blockNode
      draggable
      allowDrop={({ dragNode, dropNode, dropPosition }) =>
        mayLieUnder(tree, dragNode.key, dropPosition === 0 ? dropNode.key : parentIn(tree, dropNode.key))
      }
      onDrop={drop}
      titleRender={({ menu }) => (
        <span className="menu-name inline-row gap-8">
          <MenuGlyph name={menu.icon} size={16} />
          {menu.name}
          <StatusTag filled looks={menuTypeLooks} value={menu.type} />
          {moved.has(menu.id) && <StatusTag filled text={t('已调整')} tone="warning" />}
        </span>
      )}
    />
  )
}
