import { rootGroupID } from '@ithings/contract/features/groups.ts'
import { useNavigate, useParams } from 'react-router'
import { groupDetailPath, paths } from '#kit/paths.ts'
import { GroupPane } from '../parts/group-pane.tsx'
import { useGroupActions } from '../parts/use-group-actions.tsx'

/** screens.md 9: one group by its address, for links from elsewhere. */
export function GroupDetail() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const open = (groupID: string) => void navigate(groupDetailPath(groupID))
  const actions = useGroupActions({
    onCreated: open,
    onRemoved: (group) => {
      // A deleted row of the table below leaves one where one is.
      if (group.groupID !== id) return
      if (group.parentID === String(rootGroupID)) void navigate(paths.groups)
      else open(group.parentID)
    },
  })
  return (
    <>
      <GroupPane alone key={id} groupID={id} pathOf={groupDetailPath} onOpen={open} actions={actions} />
      {actions.dialogs}
    </>
  )
}
