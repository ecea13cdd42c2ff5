import { PlusOutlined } from '@ant-design/icons'
import { createGroup, rootGroupID } from '@ithings/contract/features/groups.ts'
import { t } from '@ithings/contract/text.ts'
import { useNavigate } from 'react-router'
import * as z from 'zod'
import { PageHeading } from '#kit/list-page/page-heading.tsx'
import { groupDetailPath, groupInTreePath, paths } from '#kit/paths.ts'
import { useUrlState } from '#kit/url-state.ts'
import { usePhone } from '#kit/use-phone.ts'
import { GroupPane } from '../parts/group-pane.tsx'
import { GroupTreePane } from '../parts/group-tree-pane.tsx'
import '../parts/groups.css'
import { ActButton } from '#kit/rights.tsx'
import { SubGroups } from '../parts/sub-groups.tsx'
import { useGroupActions } from '../parts/use-group-actions.tsx'

const urlSchema = z.object({ id: z.string() })
const urlDefaults = { id: '' }

/** screens.md 8: the tree, and beside it the chosen group; on a phone the group has its own page. */
export function GroupList() {
  const phone = usePhone()
  const navigate = useNavigate()
  const [{ id }] = useUrlState(urlSchema, urlDefaults)
  const pathOf = phone ? groupDetailPath : groupInTreePath
  // A fresh address: filters and page of the group before do not come along.
  const open = (groupID: string | undefined) => void navigate(groupID ? pathOf(groupID) : paths.groups)
  const actions = useGroupActions({
    onCreated: open,
    onRemoved: (group) => {
      if (id) open(group.parentID === String(rootGroupID) ? undefined : group.parentID)
    },
  })
  return (
    <div className={phone ? 'groups-phone' : undefined}>
      <PageHeading
        title={t('分组', { context: 'many' })}
        subtitle={!phone && t('按地区、项目或用途组织设备，一台设备可以在几个分组里')}
        extra={
          <ActButton needs={createGroup} type="primary" icon={<PlusOutlined />} onClick={() => actions.create()}>
            {t('新增分组')}
          </ActButton>
        }
      />
      <div className={phone ? undefined : 'side-layout top gap-16 grid'}>
        <GroupTreePane chosen={id || undefined} onChoose={open} actions={actions} />
        {id ? (
          <GroupPane key={id} groupID={id} pathOf={pathOf} onOpen={open} actions={actions} />
        ) : (
          !phone && (
            <SubGroups
              parentID={String(rootGroupID)}
              title={t('分组', { context: 'many' })}
              pathOf={pathOf}
              onOpen={open}
              actions={actions}
            />
          )
        )}
      </div>
      {actions.dialogs}
    </div>
  )
}
