import { type Group, rootGroupID } from '@ithings/contract/features/groups.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { App } from 'antd'
import type { ReactNode } from 'react'
import { findNode, groupTree, refusePlace } from '#blocks/group-tree.ts'
import { allGroupsQuery } from '#blocks/groups-query.ts'
import { useConfirm } from '#kit/confirm.tsx'
import { useDialog } from '#kit/use-dialog.ts'
import { useMemo } from '#language/use-memo.ts'
import { useDeleteGroup, useUpdateGroup } from '../queries.ts'
import { deletionText } from '../tree-view.ts'
import { CreateGroupForm, EditGroupForm } from './group-form.tsx'

type Dialog = { kind: 'create'; parentID: string } | { kind: 'edit'; group: Group }

export interface GroupActions {
  /** Why nothing can be created below this group, or undefined. */
  refuseChild: (groupID: string) => string | undefined
  create: (parentID?: string) => void
  edit: (group: Group) => void
  remove: (group: Group) => void
  move: (groupID: string, parentID: string) => void
  dialogs: ReactNode
}

interface GroupActionParts {
  onCreated: (groupID: string) => void
  onRemoved: (group: Group) => void
}

/** Everything that changes the tree; used by the tree, the pane and the tables alike. */
export function useGroupActions({ onCreated, onRemoved }: GroupActionParts): GroupActions {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const update = useUpdateGroup()
  const drop = useDeleteGroup()
  const { data } = useQuery(allGroupsQuery)
  const tree = useMemo(() => groupTree(data ?? []), [data])
  const { about: dialog, open, session, show, close } = useDialog<Dialog>()

  const remove = (group: Group) => {
    const node = findNode(tree, group.groupID)
    confirm({
      title: t('删除分组「{name}」？', { name: group.groupName }),
      content: node ? deletionText(node) : t('它的子分组一起删除，设备本身保留。'),
      danger: true,
      okText: t('删除'),
      onOk: () => drop(group.groupID, () => onRemoved(group)),
      done: t('删除成功'),
    })
  }
  const move = (groupID: string, parentID: string) => {
    const node = findNode(tree, groupID)
    if (!node || node.group.parentID === parentID) return
    const parent = findNode(tree, parentID)
    const refusal = refusePlace(parent, node)
    if (refusal !== undefined) {
      void message.warning(refusal)
      return
    }
    update.mutate(
      { groupID, parentID, rev: node.group.rev },
      {
        onSuccess: () =>
          void message.success(
            t(parent ? '「{name}」已移到「{parent}」下' : '「{name}」已移到顶层', {
              name: node.group.groupName,
              parent: parent?.group.groupName,
            }),
          ),
        onError: (error) => void message.error(error.message),
      },
    )
  }
  return {
    refuseChild: (groupID) => refusePlace(findNode(tree, groupID)),
    create: (parentID = String(rootGroupID)) => show({ kind: 'create', parentID }),
    edit: (group) => show({ kind: 'edit', group }),
    remove,
    move,
    dialogs: (
      <>
        {dialog?.kind === 'create' && (
          <CreateGroupForm key={session} parentID={dialog.parentID} open={open} onClose={close} onCreated={onCreated} />
        )}
        {dialog?.kind === 'edit' && <EditGroupForm key={session} group={dialog.group} open={open} onClose={close} />}
      </>
    ),
  }
}
