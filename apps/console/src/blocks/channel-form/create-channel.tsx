import { t } from '@ithings/contract/text.ts'
import { App } from 'antd'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { readLanguage } from '#language/language.ts'
import { ChannelFields } from './channel-fields.tsx'
import { bodyOf, channelForm, newChannel } from './channel-values.ts'
import { useCreateChannel } from './channel-work.ts'

interface CreateChannelProps extends Opened {
  mailReady: boolean
  onCreated?: (id: number) => void
}

export function CreateChannel({ mailReady, onCreated, ...opened }: CreateChannelProps) {
  const { message } = App.useApp()
  const create = useCreateChannel()
  return (
    <FormDrawer
      {...opened}
      title={t('新增通知渠道')}
      width={640}
      schema={channelForm}
      initialValues={{ ...newChannel, language: readLanguage() }}
      onSubmit={async (values) => {
        const { id } = await create.mutateAsync(bodyOf(values))
        void message.success(t('创建成功'))
        onCreated?.(id)
      }}
    >
      {(form) => <ChannelFields form={form} channel={undefined} mailReady={mailReady} />}
    </FormDrawer>
  )
}
