import { SearchOutlined } from '@ant-design/icons'
import type { Group } from '@ithings/contract/features/groups.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Input, Switch, Tree } from 'antd'
import { type Key, useId, useState } from 'react'
import { ancestorsOf, type GroupNode, groupTree } from '#blocks/group-tree.ts'
import { Loaded } from '#kit/states/loaded.tsx'
import { useMemo } from '#language/use-memo.ts'
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

type GroupTreeProps = Omit<GroupChoiceProps, 'productID' | 'isWrong'> & { groups: readonly Group[]; wanted: string }

function GroupTree({ groups, wanted, value, includeChildren, onChange }: GroupTreeProps) {
  const [opened, setOpened] = useState<Key[]>()
  const rows = useMemo(() => rowsOf(groupTree(groups), wanted, !includeChildren), [groups, wanted, includeChildren])
  if (rows.length === 0)
    return <p className="meta">{wanted ? t('没有匹配的分组') : t('还没有分组，可先在「分组」中新增')}</p>
  const first = [...rows.map(({ key }) => key), ...ancestorsOf(groups, value).map(({ groupID }) => groupID)]
  return (
    <Tree<TreeRow>
      blockNode
      treeData={rows}
      expandedKeys={wanted ? groups.map(({ groupID }) => groupID) : (opened ?? first)}
      onExpand={(keys) => setOpened(keys)}
      selectedKeys={value ? [value] : []}
      onSelect={(keys) => keys[0] !== undefined && onChange({ groupID: String(keys[0]) })}
      titleRender={({ title, count }) => (
        <span className="flex between baseline gap-8">
          <span className="cut" title={title}>
            {title}
          </span>
          <span className="meta fixed">{t('{count, number} 台', { count })}</span>
        </span>
      )}
    />
  )
}

/** The tree of groups beside what it hits. */
export function GroupChoice({ productID, isWrong, ...choice }: GroupChoiceProps) {
  const id = useId()
  const groups = useQuery(groupsOfProductQuery(productID))
  const [text, setText] = useState('')
  return (
    <section className={`group-choice boxed column ${isWrong ? 'group-choice-wrong' : ''}`}>
      <div style={{ padding: 12 }}>
        <Input
          aria-label={t('分组名称')}
          placeholder={t('分组名称')}
          prefix={<SearchOutlined aria-hidden="true" />}
          allowClear
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <div className="group-choice-body grow scroll pad-x-8">
        <Loaded compact query={groups} subject={t('分组')} rows={5}>
          {(list) => <GroupTree groups={list} wanted={text.trim().toLowerCase()} {...choice} />}
        </Loaded>
      </div>
      <div className="line-above pad-12-16">
        <label className="inline-row gap-8" htmlFor={id}>
          {t('含子分组')}
          <Switch
            id={id}
            size="small"
            checked={choice.includeChildren}
            onChange={(includeChildren) => choice.onChange({ includeChildren })}
          />
        </label>
      </div>
    </section>
  )
}
