import { ShadowControl } from '@ithings/contract/features/commands.ts'
import type { Device } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, App, Modal } from 'antd'
import { useId, useState } from 'react'
import { startValue } from '#blocks/model-form/example-value.ts'
import { ValueIssue } from '#blocks/model-form/value-field.tsx'
import { isGroup, ValueInput } from '#blocks/model-form/value-input.tsx'
import { checkValue } from '#blocks/model-form/value-issues.ts'
import { TypedValue } from '#blocks/typed-value/typed-value.tsx'
import { parseValue } from '#blocks/typed-value/value-text.ts'
import { describeError } from '#kit/states/describe-error.ts'
import type { Opened } from '#kit/use-dialog.ts'
import { useSendProperty } from '../live-queries.ts'
import type { ShadowLine } from './shadow-rows.ts'

/** Sets what the device is wished to be; it goes to the shadow only, whether the device is there or not. */
export function DesiredModal({ device, line, open, onClose }: Opened & { device: Device; line: ShadowLine }) {
  const { define, identifier, name } = line.property
  const { message } = App.useApp()
  const id = useId()
  const send = useSendProperty(device)
  const [value, setValue] = useState(
    () => parseValue(define, line.desired?.value ?? line.reported) ?? startValue(define, Date.now()),
  )
  const [tried, setTried] = useState(false)
  const issues = checkValue(define, value, name)
  const save = () => {
    setTried(true)
    if (issues.size > 0) return
    send.mutate(
      { data: JSON.stringify({ [identifier]: value }), shadowControl: ShadowControl.shadow },
      {
        onSuccess: () => {
          void message.success(t('已写入影子'))
          onClose()
        },
      },
    )
  }
  return (
    <Modal
      open={open}
      title={t('设置「{name}」的期望值', { name })}
      okText={t('写入影子')}
      cancelText={t('取消')}
      confirmLoading={send.isPending}
      onOk={save}
      onCancel={onClose}
    >
      <div className="stack gap-12" style={{ paddingBlock: 8 }}>
        <div className="meta flex gap-8">
          {t('上报值')} <TypedValue define={define} text={line.reported} />
        </div>
        <ValueInput define={define} value={value} onChange={setValue} label={name} id={id} {...(tried && { issues })} />
        {tried && !isGroup(define) && <ValueIssue id={id} text={issues.get('')} />}
        {send.isError && <Alert type="error" showIcon title={describeError(send.error).reason} />}
      </div>
    </Modal>
  )
}
