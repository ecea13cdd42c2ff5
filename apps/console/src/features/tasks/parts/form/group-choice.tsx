import { SearchOutlined } from '@ant-design/icons'
import type { Group } from '@ithings/contract/features/groups.ts'
import { useQuery } from '@tanstack/react-query'
import { Input, Skeleton, Switch, Tree } from 'antd'
import { type Key, useId, useMemo, useState } from 'react'
import { ancestorsOf, type GroupNode, groupTree } from '#blocks/group-tree.ts'
import { ErrorState } from '#kit/states/error-state.tsx'
import { groupsOfProductQuery } from '../../queries.ts'

interface GroupChoiceProps {
  /** Only its devices count. */
  productID: string
  value: string
  includeChildren: boolean
  isWrong: boolean
  onChange: (patch: { groupID?: string; includeChildren?: boolean }) => void
}

interface TreeRow {
  key: string
  title: string
  count: number
  children: TreeRow[]
}

/** What matches stays with the way down to it. */
function rowsOf(nodes: readonly GroupNode[], wanted: string, own: boolean): TreeRow[] {
  return nodes.flatMap(({ group, children }) => {
    const hit = group.groupName.toLowerCase().includes(wanted)
    const below = rowsOf(children, hit ? '' : wanted, own)
    if (!hit && below.length === 0) return []
    const count = own ? group.deviceCount : group.totalCount
    return [{ key: group.groupID, title: group.groupName, count, children: below }]
  })
}

const upTo = (groups: readonly Group[], groupID: string) => ancestorsOf(groups, groupID).map((group) => group.groupID)

/** The tree of groups beside what it hits. */
export function GroupChoice({ productID, value, includeChildren, isWrong, onChange }: GroupChoiceProps) {
  const id = useId()
  const groups = useQuery(groupsOfProductQuery(productID))
  const [text, setText] = useState('')
  const [opened, setOpened] = useState<Key[]>()
  const wanted = text.trim().toLowerCase()
  const rows = useMemo(
    () => rowsOf(groupTree(groups.data ?? []), wanted, !includeChildren),
    [groups.data, wanted, includeChildren],
  )
  const top = rows.map(({ key }) => key)
  const expanded = wanted
    ? (groups.data ?? []).map(({ groupID }) => groupID)
    : (opened ?? [...top, ...upTo(groups.data ?? [], value)])
  return (
    <section className={isWrong ? 'group-choice column group-choice-wrong' : 'group-choice column'}>
      <div className="group-choice-head">
        <Input
          aria-label="分组名称"
          placeholder="分组名称"
          prefix={<SearchOutlined aria-hidden="true" />}
          allowClear
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <div className="group-choice-body">
        {groups.isError && !groups.data ? (
          <ErrorState
            subject="分组"
            error={groups.error}
            onRetry={() => void groups.refetch()}
            retrying={groups.isFetching}
            compact
          />
        ) : groups.isPending ? (
          <Skeleton active title={false} paragraph={{ rows: 5 }} />
        ) : rows.length === 0 ? (
          <p className="meta">{wanted ? '没有匹配的分组' : '还没有分组，可先在「分组」中建立'}</p>
        ) : (
          <Tree<TreeRow>
            blockNode
            treeData={rows}
            expandedKeys={expanded}
            onExpand={(keys) => setOpened(keys)}
            selectedKeys={value ? [value] : []}
            onSelect={(keys) => keys[0] !== undefined && onChange({ groupID: String(keys[0]) })}
            titleRender={({ title, count }) => (
              <span className="group-choice-row flex between baseline gap-8">
                <span title={title}>{title}</span>
                <span className="meta">{count.toLocaleString()} 台</span>
              </span>
            )}
          />
        )}
      </div>
      <div className="group-choice-foot">
        <label htmlFor={id}>
          含子分组
          <Switch
            id={id}
            size="small"
            checked={includeChildren}
            onChange={(next) => onChange({ includeChildren: next })}
          />
        </label>
      </div>
    </section>
  )
}
