import { type Channel, listChannels } from '@ithings/contract/features/notify.ts'
import { t } from '@ithings/contract/text.ts'
import { call } from '#api/call.ts'
import { ChannelFields } from '#blocks/channel-form/channel-fields.tsx'
import { bodyOf, channelForm, formOf } from '#blocks/channel-form/channel-values.ts'
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

export function EditChannelForm({ channel, mailReady, ...opened }: FormProps & { channel: Channel }) {
  const update = useUpdateChannel()
  const stale = useStaleEdit(channel.rev, () => reread(channel))
  return (
    <FormDrawer
      {...opened}
      title={t('编辑通知渠道「{name}」', { name: channel.name })}
      width={640}
      schema={channelForm}
      initialValues={formOf(channel)}
      stale={stale}
      onSubmit={(values, { rev }) =>
        update.mutateAsync({
          id: channel.id,
          rev,
          ...bodyOf(values),
          ...(values.clearSecret && { clearSecret: true }),
        })
      }
      done={t('更新成功')}
    >
      {(form) => <ChannelFields form={form} channel={channel} mailReady={mailReady} />}
    </FormDrawer>
  )
}
