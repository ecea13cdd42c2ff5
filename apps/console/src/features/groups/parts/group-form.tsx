import {
  createGroupBody,
  type Group,
  maxGroupLevels,
  rootGroupID,
  updateGroupBody,
} from '@ithings/contract/features/groups.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Input } from 'antd'
import { GroupPicker } from '#blocks/group-picker.tsx'
import { findNode, groupTree, refusePlace } from '#blocks/group-tree.ts'
import { allGroupsQuery } from '#blocks/groups-query.ts'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { TagInput } from '#kit/tag-input.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { groupQuery, useCreateGroup, useUpdateGroup } from '../queries.ts'

const root = { value: String(rootGroupID), label: '顶层' }
const levels = { max: maxGroupLevels }

const createSchema = createGroupBody.omit({ productID: true })
const editSchema = updateGroupBody.omit({ productID: true }).extend({ groupName: createGroupBody.shape.groupName })

function CommonFields() {
  return (
    <>
      <Field name="groupName" label={t('分组名称')}>
        <Input maxLength={32} showCount autoFocus autoComplete="off" />
      </Field>
      <Field name="desc" label={t('分组描述')}>
        <Input.TextArea maxLength={200} showCount autoSize={{ minRows: 2, maxRows: 5 }} />
      </Field>
      <Field name="tags" label={t('标签')}>
        <TagInput />
      </Field>
    </>
  )
}

interface CreateGroupFormProps extends Opened {
  parentID: string
  onCreated: (groupID: string) => void
}

export function CreateGroupForm({ parentID, onCreated, ...opened }: CreateGroupFormProps) {
  const { message } = App.useApp()
  const create = useCreateGroup()
  return (
    <FormModal
      {...opened}
      title={parentID === root.value ? t('新增分组') : t('新增子分组')}
      schema={createSchema}
      initialValues={{ parentID }}
      submitText={t('创建')}
      onSubmit={async (values) => {
        const { groupID } = await create.mutateAsync(values)
        void message.success(t('创建成功'))
        onCreated(groupID)
      }}
    >
      <Field name="parentID" label={t('上级分组')} extra={t('分组最多 {max} 层，第 {max} 层下不能再建子分组', levels)}>
        <GroupPicker root={root} refuse={refusePlace} allowClear={false} />
      </Field>
      <CommonFields />
    </FormModal>
  )
}

export function EditGroupForm({ group, ...opened }: { group: Group; open: boolean; onClose: () => void }) {
  const client = useQueryClient()
  const update = useUpdateGroup()
  const { data: all = [] } = useQuery(allGroupsQuery)
  const self = findNode(groupTree(all), group.groupID)
  const stale = useStaleEdit(group.rev, () => client.fetchQuery({ ...groupQuery(group.groupID), staleTime: 0 }))
  const { groupID, parentID, groupName, desc, tags, rev } = group
  return (
    <FormModal
      {...opened}
      title={t('编辑分组「{name}」', { name: groupName })}
      schema={editSchema}
      initialValues={{ groupID, parentID, groupName, desc, tags, rev }}
      stale={stale}
      onSubmit={(values, { rev: newest }) => update.mutateAsync({ ...values, rev: newest })}
      done={t('更新成功')}
    >
      <Field
        name="parentID"
        label={t('上级分组')}
        extra={t('分组最多 {max} 层，第 {max} 层下不能再建子分组；子分组一起移动', levels)}
      >
        <GroupPicker
          root={root}
          refuse={(node) => {
            // The picker draws its own copy of the tree: found again by number.
            const place = findNode(groupTree(all), node.group.groupID)
            return self && place && refusePlace(place.group.groupID === groupID ? self : place, self)
          }}
          allowClear={false}
        />
      </Field>
      <CommonFields />
    </FormModal>
  )
}
