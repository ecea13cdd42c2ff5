/** A group, chosen in the tree. */
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, TreeSelect } from 'antd'
import { describeError } from '#kit/states/describe-error.ts'
import { useMemo } from '#language/use-memo.ts'
import { type GroupNode, groupTree } from './group-tree.ts'
import { allGroupsQuery } from './groups-query.ts'

export interface GroupPickerProps {
  id?: string
  value?: string | undefined
  onChange?: (groupID: string | undefined) => void
  placeholder?: string
  disabled?: boolean
  allowClear?: boolean
  /** Why a group cannot be chosen, or undefined. */
  refuse?: (node: GroupNode) => string | undefined
  /** An entry above all groups. */
  root?: { value: string; label: string }
}

interface Option {
  value: string
  title: string
  label: string
  disabled: boolean
  children: Option[]
}

const optionsOf = (nodes: readonly GroupNode[], refuse: GroupPickerProps['refuse']): Option[] =>
  nodes.map((node) => {
    const why = refuse?.(node)
    return {
      value: node.group.groupID,
      label: node.group.groupName,
      title: why ?? node.group.groupName,
      disabled: why !== undefined,
      children: optionsOf(node.children, refuse),
    }
  })

/** What the tree of groups offers, and what it says while there is nothing to offer. */
function useGroupTree(refuse?: GroupPickerProps['refuse'], root?: GroupPickerProps['root']) {
  const groups = useQuery(allGroupsQuery)
  const treeData = useMemo(() => {
    const own = optionsOf(groupTree(groups.data ?? []), refuse)
    return root ? [{ ...root, label: t(root.label), title: t(root.label), disabled: false, children: own }] : own
  }, [groups.data, refuse, root])
  return {
    style: { width: '100%' },
    showSearch: { treeNodeFilterProp: 'label' },
    treeDefaultExpandAll: true,
    loading: groups.isPending,
    treeData,
    notFoundContent: groups.isError ? (
      <span className="picker-state row center quiet">
        {describeError(groups.error).reason}
        <Button type="link" size="small" onClick={() => void groups.refetch()}>
          {t('重试')}
        </Button>
      </span>
    ) : (
      t('还没有分组')
    ),
  }
}

export function GroupPicker({ id, value, onChange, refuse, root, ...rest }: GroupPickerProps) {
  const tree = useGroupTree(refuse, root)
  return (
    <TreeSelect
      {...tree}
      id={id}
      placeholder={rest.placeholder ?? t('选择分组')}
      disabled={rest.disabled}
      allowClear={rest.allowClear ?? true}
      // The name of a chosen group that is not read yet is unknown: its number says more than nothing.
      value={value || undefined}
      onChange={(picked: string | undefined) => onChange?.(picked)}
    />
  )
}

interface GroupsPickerProps {
  id?: string
  value: readonly string[]
  onChange: (groupIDs: string[]) => void
  placeholder: string
}

/** Several groups; those below a chosen one are chosen by nobody, they come with it. */
export function GroupsPicker({ value, onChange, ...rest }: GroupsPickerProps) {
  const tree = useGroupTree()
  return <TreeSelect {...tree} {...rest} multiple allowClear value={[...value]} onChange={onChange} />
}
