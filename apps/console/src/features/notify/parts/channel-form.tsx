import { type Channel, listChannels } from '@ithings/contract/features/notify.ts'
import { t } from '@ithings/contract/text.ts'
import { App } from 'antd'
import { call } from '#api/call.ts'
import { ChannelFields } from '#blocks/channel-form/channel-fields.tsx'
import { bodyOf, type ChannelFormValues, channelForm, formOf } from '#blocks/channel-form/channel-values.ts'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { useUpdateChannel } from '../queries.ts'

interface FormProps extends Opened {
  mailReady: boolean
}

async function reread(channel: Channel) {
  const { list } = await call(listChannels, { name: channel.name }, { quiet: true })
  const latest = list.find((one) => one.id === channel.id)
  if (latest) return { ...formOf(latest), rev: latest.rev }
  // Its name was changed meanwhile.
  const all = await call(listChannels, {}, { quiet: true })
  const renamed = all.list.find((one) => one.id === channel.id)
  if (!renamed) throw new Error(t('渠道已被删除'))
  return { ...formOf(renamed), rev: renamed.rev }
}

export function EditChannelForm({ channel, open, mailReady, onClose }: FormProps & { channel: Channel }) {
  const { message } = App.useApp()
  const update = useUpdateChannel()
  const stale = useStaleEdit(channel.rev, () => reread(channel))
  const save = (values: ChannelFormValues) =>
    stale.guard((rev) =>
      update.mutateAsync({
        id: channel.id,
        rev,
        ...bodyOf(values),
        ...(values.clearSecret && { clearSecret: true }),
      }),
    )
  return (
    <FormDrawer
      title={t('编辑通知渠道「{name}」', { name: channel.name })}
      open={open}
      onClose={onClose}
      width={640}
      schema={channelForm}
      initialValues={formOf(channel)}
      footerExtra={stale.action}
      onSubmit={async (values) => {
        await save(values)
        void message.success(t('更新成功'))
      }}
    >
      {(form) => {
        stale.bind(form)
        return <ChannelFields form={form} channel={channel} mailReady={mailReady} />
      }}
    </FormDrawer>
  )
}
