import { type Channel, type ChannelSettings, readChannel } from '@ithings/contract/features/notify.ts'
import { Button, Form, type FormInstance } from 'antd'
import { May } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { isMasked, unmask } from './channel-values.ts'
import { useReadChannel } from './channel-work.ts'

/** decisions.md 4.4: keys are masked until somebody who may see them asks for them. */
export function HiddenKeys({ form, channel }: { form: FormInstance; channel: Channel }) {
  const url = Form.useWatch<string | undefined>('url', { form, preserve: true })
  const headers = Form.useWatch<ChannelSettings['headers'] | undefined>('headers', { form, preserve: true })
  const { mutate, error, isPending } = useReadChannel()
  if (!isMasked({ url: url ?? '', headers: headers ?? [] })) return null
  const show = () =>
    mutate(channel.id, {
      onSuccess: ({ settings }) => form.setFieldsValue(unmask(form.getFieldsValue(true), settings)),
    })
  return (
    <div className="hidden-keys" role="status">
      <span className="meta">密钥已隐藏为 ******，保持原样则不修改。</span>
      <May needs={readChannel}>
        <Button type="link" size="small" loading={isPending} onClick={show}>
          显示完整内容
        </Button>
      </May>
      {error && <div className="tone-error">{describeError(error).reason}</div>}
    </div>
  )
}
