import { EditOutlined } from '@ant-design/icons'
import { type Device, updateDevice, updateDeviceBody } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { deviceQuery, keyOf, useUpdateDevice } from '#blocks/device/queries.ts'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { TagPairs } from '#blocks/tags.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { ActButton } from '#kit/rights.tsx'
import { TagInput } from '#kit/tag-input.tsx'
import { useDialog } from '#kit/use-dialog.ts'
import { Card } from '../card.tsx'

const schema = updateDeviceBody.pick({ tags: true })

function TagsForm({ device, ...opened }: { device: Device; open: boolean; onClose: () => void }) {
  const client = useQueryClient()
  const update = useUpdateDevice()
  // The whole set is replaced, so what somebody else added meanwhile must be seen first.
  const stale = useStaleEdit(device.rev, async () => {
    const { tags, rev } = await client.fetchQuery({ ...deviceQuery(device), staleTime: 0 })
    return { tags, rev }
  })
  return (
    <FormModal
      {...opened}
      title={t('编辑标签')}
      schema={schema}
      initialValues={{ tags: device.tags }}
      stale={stale}
      layout="vertical"
      onSubmit={({ tags = [] }, { rev }) => update.mutateAsync({ ...keyOf(device), tags, rev })}
      done={t('更新成功')}
    >
      <Field name="tags" label={t('标签')} extra={t('最多 10 个，键不能重复')}>
        <TagInput />
      </Field>
    </FormModal>
  )
}

export function TagsCard({ device }: { device: Device }) {
  const { session, open, show, close } = useDialog()
  return (
    <Card
      title={t('标签')}
      extra={
        <ActButton
          needs={updateDevice}
          type="text"
          icon={<EditOutlined />}
          aria-label={t('编辑标签')}
          onClick={() => show(undefined)}
        >
          {t('编辑')}
        </ActButton>
      }
    >
      {device.tags.length > 0 ? (
        <TagPairs tags={device.tags} />
      ) : (
        <span className="meta">{t('还没有标签，可按区域、用途等标记设备，列表里按标签查找。')}</span>
      )}
      {session > 0 && <TagsForm key={session} device={device} open={open} onClose={close} />}
    </Card>
  )
}
