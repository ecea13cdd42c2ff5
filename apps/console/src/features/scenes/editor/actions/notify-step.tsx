import { notifyVariables } from '@ithings/contract/features/notify.ts'
import { channelTypeLabels } from '@ithings/contract/rules/channel-types.ts'
import { unknownNames } from '@ithings/contract/rules/notice-template.ts'
import { sceneVariables } from '@ithings/contract/rules/scene-notice.ts'
import type { NotifyOutput } from '@ithings/contract/rules/scene-parts.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button, Input, type InputRef } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { useId, useRef } from 'react'
import { ChannelPicker } from '#blocks/channel-picker.tsx'
import { RichText } from '#kit/rich-text.tsx'
import type { PartProps } from '../editor-context.ts'
import { Field } from '../parts/field.tsx'

const inserted = (name: string) => `\${${name}}`

/** Puts variables where the cursor was last: in the title or in the text. */
function useInsert({ value: notify, onChange }: Pick<PartProps<NotifyOutput>, 'value' | 'onChange'>) {
  const title = useRef<InputRef>(null)
  const content = useRef<TextAreaRef>(null)
  const last = useRef<'title' | 'content'>('content')
  const insert = (name: string) => {
    const field = last.current
    const text = inserted(name)
    const control = field === 'title' ? title.current?.input : content.current?.resizableTextArea?.textArea
    const from = control?.selectionStart ?? notify[field].length
    const to = control?.selectionEnd ?? from
    onChange({ ...notify, [field]: notify[field].slice(0, from) + text + notify[field].slice(to) })
    requestAnimationFrame(() => {
      control?.focus()
      control?.setSelectionRange(from + text.length, from + text.length)
    })
  }
  const remember = (field: 'title' | 'content') => () => {
    last.current = field
  }
  return { title, content, remember, insert }
}

/** Channels, a title and a text; variables are put where the cursor was. */
export function NotifyStep({ item, value: notify, onChange }: PartProps<NotifyOutput>) {
  const id = useId()
  const { title, content, remember, insert } = useInsert({ value: notify, onChange })
  const unfilled = unfilledNames(notify)
  return (
    <div className="step-fields column gap-8">
      {(notify.url || notify.to) && (
        <p className="meta">
          <RichText
            text={t('另外直接发送到 {type} <0>{receivers}</0>（由接口写入，保存时原样保留）', {
              type: t(channelTypeLabels[notify.type ?? (notify.url ? 'webhook' : 'email')]),
              receivers: [notify.to ?? hostOf(notify.url)].flat().join(t('、')),
            })}
            parts={[<span key="receivers" className="mono-payload" />]}
          />
        </p>
      )}
      <div className="step-label softer small">{t('通知渠道')}</div>
      <Field item={item} name="notify" width={360}>
        <ChannelPicker
          aria-label={t('通知渠道')}
          value={notify.channelIDs}
          onChange={(channelIDs) => onChange({ ...notify, channelIDs })}
        />
      </Field>
      <label className="step-label softer small" htmlFor={`${id}t`}>
        {t('标题')}
      </label>
      <Input
        ref={title}
        id={`${id}t`}
        maxLength={200}
        placeholder={t('留空：用场景名称')}
        value={notify.title}
        onFocus={remember('title')}
        onChange={(event) => onChange({ ...notify, title: event.target.value })}
      />
      <label className="step-label softer small" htmlFor={`${id}c`}>
        {t('内容')}
      </label>
      <Input.TextArea
        ref={content}
        id={`${id}c`}
        maxLength={4000}
        autoSize={{ minRows: 3, maxRows: 8 }}
        placeholder={t('留空：触发内容、设备与时间')}
        value={notify.content}
        onFocus={remember('content')}
        onChange={(event) => onChange({ ...notify, content: event.target.value })}
      />
      <div className="row wrap gap-6">
        <span className="meta">{t('插入')}</span>
        {sceneVariables.map((name) => (
          <Button key={name} size="small" title={inserted(name)} onClick={() => insert(name)}>
            {t(notifyVariables[name])}
          </Button>
        ))}
      </div>
      {unfilled.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('场景的通知没有这些变量，会原样发出：{names}', {
            names: unfilled.map(inserted).join(t('、')),
          })}
        />
      )}
    </div>
  )
}

/** Only the host: the rest of an address may hold its key. */
function hostOf(url: string | undefined): string {
  return URL.canParse(url ?? '') ? new URL(url ?? '').host : t('地址有误')
}

const known = Object.fromEntries(sceneVariables.map((name) => [name, true]))

/** Names of variables that a scene cannot fill in: nobody's, or those of an alarm. */
export const unfilledNames = ({ title, content }: { title: string; content: string }): string[] =>
  unknownNames(`${title} ${content}`, known)
