import { type AlarmInfo, alarmInfo } from '@ithings/contract/features/alarms/config.ts'
import { notifyVariables } from '@ithings/contract/features/notify.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Form, type FormInstance, Input, InputNumber, Switch } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { ChannelPicker } from '#blocks/channel-picker.tsx'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { Field, type InputProps } from '#kit/form/field.tsx'
import { useLocked } from '#kit/rights.tsx'
import { exactFormat } from '#kit/time.ts'
import { exampleOf, previewOf, unknownVariables, variableNames } from '../../notify-preview.ts'
import { exampleQuery, useAlarmWork } from '../../queries.ts'
import { PageForm } from './page-form.tsx'

const schema = alarmInfo.shape.notify.omit({ slaMinutes: true })
const longestContent = 4000

/** A variable goes to the end of the content, where people write on. */
function ContentInput({ id, value = '', onChange }: InputProps<string>) {
  const locked = useLocked()
  return (
    <>
      <Input.TextArea
        {...(id && { id })}
        rows={5}
        maxLength={longestContent}
        showCount
        placeholder={t('留空使用内置文案')}
        value={value}
        onChange={(event) => onChange?.(event.target.value)}
      />
      {!locked && (
        <div className="notify-variables flex wrap gap-8">
          {variableNames.map((name) => (
            <button
              key={name}
              type="button"
              className="plain-button text-chip pad-x-8 bordered small softer"
              title={t('插入 {variable}', { variable: `$\{${name}}` })}
              onClick={() => onChange?.(`${value}$\{${name}}`.slice(0, longestContent))}
            >
              {t(notifyVariables[name])}
            </button>
          ))}
        </div>
      )}
    </>
  )
}

function Preview({ form, alarm }: { form: FormInstance; alarm: AlarmInfo }) {
  const title = String(Form.useWatch('title', form) ?? '')
  const content = String(Form.useWatch('content', form) ?? '')
  const [now] = useState(() => dayjs().format(exactFormat))
  const { data: seen } = useQuery(exampleQuery(alarm.id))
  const shown = previewOf({ title, content }, { ...exampleOf(alarm, now), ...seen })
  const unknown = unknownVariables(`${title} ${content}`)
  return (
    <div className="notify-preview boxed head-fill pad-12-16 column anywhere gap-4" aria-live="polite">
      <span className="meta">{seen ? t('以关联场景的一台设备填入') : t('以示例数据填入')}</span>
      <b>{shown.title}</b>
      <pre>{shown.content}</pre>
      {unknown.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('没有这些变量：{names}', { names: unknown.map((name) => `$\{${name}}`).join(t('、')) })}
        />
      )}
    </div>
  )
}

/** Who is told, how often, and in which words. */
export function NotifyForm({ alarm, onSaved }: { alarm: AlarmInfo; onSaved: () => void }) {
  const { message } = App.useApp()
  const work = useAlarmWork()
  const [begun] = useState(() => work.latest(alarm.id) ?? alarm)
  const stale = useStaleEdit(begun.rev, async () => {
    const { rev, notify } = await work.reread(alarm.id)
    return { rev, ...notify }
  })
  return (
    <PageForm
      schema={schema}
      initialValues={begun.notify}
      extra={stale.action}
      onSubmit={async (notify) => {
        const { slaMinutes } = (work.latest(alarm.id) ?? alarm).notify
        await stale.guard((rev) => work.update({ id: alarm.id, notify: { ...notify, slaMinutes }, rev }))
        void message.success(t('更新成功'))
      }}
      onSaved={onSaved}
    >
      {(form) => {
        stale.bind(form)
        return (
          <>
            <Field name="channelIDs" label={t('通知渠道')} extra={t('不选则只产生记录，不发送通知。')}>
              <ChannelPicker />
            </Field>
            <Field
              name="renotifyMinutes"
              label={t('重复通知')}
              extra={t('一条记录未处理期间，隔多久再通知一次；0 表示只通知第一次。')}
            >
              <InputNumber min={0} max={10_080} precision={0} suffix={t('分钟')} style={{ width: 160 }} />
            </Field>
            <Field
              name="flapSeconds"
              label={t('抖动抑制')}
              extra={t('解除后这段时间内又触发，先只重新打开记录；过了这段时间仍未处理才通知。0 表示不抑制。')}
            >
              <InputNumber min={0} max={86_400} precision={0} suffix={t('秒')} style={{ width: 160 }} />
            </Field>
            <Field name="notifyCleared" label={t('解除时通知')} valuePropName="checked">
              <Switch />
            </Field>
            <Field name="title" label={t('标题')} extra={t('留空使用内置文案。')}>
              <Input maxLength={200} showCount />
            </Field>
            <Field name="content" label={t('内容')}>
              <ContentInput />
            </Field>
            <Form.Item label={t('预览')}>
              <Preview form={form} alarm={alarm} />
            </Form.Item>
          </>
        )
      }}
    </PageForm>
  )
}
