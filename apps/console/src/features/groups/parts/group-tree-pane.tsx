import { EllipsisOutlined, PlusOutlined, SearchOutlined } from '@ant-design/icons'
import {
  createGroup,
  deleteGroup,
  type Group,
  maxGroupLevels,
  rootGroupID,
  updateGroup,
} from '@ithings/contract/features/groups.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown, Input, type MenuProps, Skeleton, Tooltip, Tree, type TreeProps } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ancestorsOf, findNode, flatNodes, type GroupNode, groupTree } from '#blocks/group-tree.ts'
import { allGroupsQuery } from '#blocks/groups-query.ts'
import { QueryError } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { useMemo } from '#language/use-memo.ts'
import { searchTree } from '../tree-view.ts'
import './groups.css'
import { numberText } from '#kit/number-text.ts'
import { May, useHeld, useMay } from '#kit/rights.tsx'
import type { GroupActions } from './use-group-actions.tsx'

interface TreeItem {
  key: string
  isLeaf: boolean
  node: GroupNode
  children: TreeItem[]
}

const itemsOf = (nodes: readonly GroupNode[]): TreeItem[] =>
  nodes.map((node) => ({
    key: node.group.groupID,
    isLeaf: node.children.length === 0,
    node,
    children: itemsOf(node.children),
  }))

function GroupRow({ group, actions }: { group: Group; actions: GroupActions }) {
  const held = useHeld()
  const full = actions.refuseChild(group.groupID)
  const menu = {
    items: held([
      {
        key: 'create',
        needs: createGroup,
        label: full ? <Tooltip title={full}>{t('新增子分组')}</Tooltip> : t('新增子分组'),
        disabled: full !== undefined,
      },
      { key: 'edit', label: t('重命名与编辑'), needs: updateGroup },
      { key: 'delete', label: t('删除'), needs: deleteGroup },
    ]),
    onClick: ({ key, domEvent }: Parameters<NonNullable<MenuProps['onClick']>>[0]) => {
      domEvent.stopPropagation()
      if (key === 'create') actions.create(group.groupID)
      else if (key === 'edit') actions.edit(group)
      else actions.remove(group)
    },
  }
  const { deviceCount, totalCount, onlineCount } = group
  return (
    <Dropdown trigger={['contextMenu']} menu={menu}>
      <span className="group-row high-32 row gap-8">
        <span className="cut grow shrink" title={group.groupName}>
          {group.groupName}
        </span>
        <Tooltip
          title={t('本组 {own} 台，含子分组 {all} 台，在线 {online} 台', {
            own: deviceCount,
            all: totalCount,
            online: onlineCount,
          })}
        >
          <span className="group-row-count fixed small quiet">
            <b>{numberText(onlineCount)}</b> / {numberText(totalCount)}
          </span>
        </Tooltip>
        {menu.items.length > 0 && (
          <Dropdown trigger={['click']} menu={menu} placement="bottomRight">
            <Button
              className="group-row-more fixed"
              type="text"
              size="small"
              icon={<EllipsisOutlined />}
              aria-label={t('「{name}」的操作', { name: group.groupName })}
              onClick={(event) => event.stopPropagation()}
            />
          </Dropdown>
        )}
      </span>
    </Dropdown>
  )
}

interface GroupTreePaneProps {
  chosen: string | undefined
  onChoose: (groupID: string | undefined) => void
  actions: GroupActions
}

interface GroupTreeProps extends GroupTreePaneProps {
  nodes: readonly GroupNode[]
  closed: ReadonlySet<string>
  onClosed: (closed: ReadonlySet<string>) => void
  movable: boolean
}

function GroupTree({ nodes, closed, onClosed, chosen, onChoose, actions, movable }: GroupTreeProps) {
  // Groups have no order of their own: onto a row means into it, only above the first one means beside it.
  const drop: TreeProps<TreeItem>['onDrop'] = ({ dragNode, node, dropPosition }) => {
    const above = dropPosition < Number(node.pos.split('-').at(-1))
    actions.move(dragNode.key, above ? node.node.group.parentID : node.key)
  }
  return (
    <Tree<TreeItem>
      className="roomy-tree"
      blockNode
      treeData={itemsOf(nodes)}
      selectedKeys={chosen ? [chosen] : []}
      onSelect={(_keys, { node }) => onChoose(node.key)}
      expandedKeys={flatNodes(nodes).flatMap(({ group }) => (closed.has(group.groupID) ? [] : group.groupID))}
      onExpand={(_keys, { node, expanded }) => {
        const next = new Set(closed)
        if (expanded) next.delete(node.key)
        else next.add(node.key)
        onClosed(next)
      }}
      draggable={movable && { icon: false }}
      onDrop={drop}
      titleRender={({ node }) => <GroupRow group={node.group} actions={actions} />}
    />
  )
}

/** The tree with counts; a group is dragged onto its new parent, its groups go along. */
export function GroupTreePane(props: GroupTreePaneProps) {
  const { chosen, onChoose, actions } = props
  const phone = usePhone()
  const movable = useMay()(updateGroup)
  const groups = useQuery(allGroupsQuery)
  const [text, setText] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const tree = useMemo(() => groupTree(groups.data ?? []), [groups.data])
  const shown = useMemo(() => searchTree(tree, text), [tree, text])
  // A group that was just made or linked to is in sight, whatever was closed or searched for before.
  const isKnown = groups.data?.some(({ groupID }) => groupID === chosen) ?? false
  const frame = useRef<HTMLDivElement>(null)
  const reveal = useEffectEvent((groupID: string) => {
    const above = ancestorsOf(groups.data ?? [], groupID).map((one) => one.groupID)
    setClosed(new Set([...closed].filter((one) => !above.includes(one))))
    if (!findNode(shown, groupID)) setText('')
    requestAnimationFrame(() =>
      frame.current?.querySelector('.ant-tree-treenode-selected')?.scrollIntoView({ block: 'nearest' }),
    )
  })
  useEffect(() => {
    if (chosen && isKnown) reveal(chosen)
  }, [chosen, isKnown])
  const body = () => {
    if (groups.isPending) return <Skeleton active title={false} paragraph={{ rows: 6 }} />
    if (groups.isError && !groups.data) return <QueryError compact subject={t('分组')} query={groups} />
    if (tree.length === 0)
      return <StateBlock compact variant="empty" title={t('还没有分组')} text={t('按地区、项目或用途组织设备。')} />
    if (shown.length === 0) return <StateBlock compact variant="no-match" title={t('没有匹配的分组')} />
    return <GroupTree {...props} nodes={shown} closed={closed} onClosed={setClosed} movable={movable} />
  }
  return (
    <nav className="list-card side-list groups-tree column" aria-label={t('分组树')}>
      <div className="pad-12 line-bottom flex gap-8">
        <Input
          allowClear
          prefix={<SearchOutlined />}
          placeholder={t('搜索分组')}
          aria-label={t('搜索分组')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <May needs={createGroup}>
          <Tooltip title={t('新增分组')}>
            <Button
              className="fixed"
              icon={<PlusOutlined />}
              aria-label={t('新增分组')}
              onClick={() => actions.create(String(rootGroupID))}
            />
          </Tooltip>
        </May>
      </div>
      <div className="groups-tree-body grow pad-8 scroll" ref={frame}>
        {!phone && tree.length > 0 && text === '' && (
          <button
            type="button"
            className={`plain-button row between wide start gap-8 pad-x-8 high-36 round-6 hover-fill group-all ${chosen ? '' : 'pick-row-on'}`}
            aria-pressed={!chosen}
            onClick={() => onChoose(undefined)}
          >
            {t('全部分组')}
          </button>
        )}
        {body()}
      </div>
      <div className="line-above pad-8-12 meta">
        {t('最多 {count} 层', { count: maxGroupLevels })}
        {!phone && movable && t('；拖动分组可以换上级')}
      </div>
    </nav>
  )
}
