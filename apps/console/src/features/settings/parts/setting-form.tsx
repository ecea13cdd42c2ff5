import { type Settings, updateSettingsBody } from '@ithings/contract/features/settings.ts'
import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { App, Button, type FormRule, Input, InputNumber, Select } from 'antd'
import { useServerZone } from '#blocks/server-zone.ts'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { Failure } from '#kit/form/dialog-footer.tsx'
import { Field } from '#kit/form/field.tsx'
import type { FormDialogProps } from '#kit/form/form-contract.ts'
import { FormPane } from '#kit/form/form-pane.tsx'
import { useFormDialog } from '#kit/form/use-form-dialog.ts'
import { inSentence } from '#kit/in-sentence.ts'
import { useDraft } from '#kit/leave-guard.tsx'
import { usePreferences } from '#kit/preferences.tsx'
import { zoneLabel } from '#kit/time.ts'
import { usePhone } from '#kit/use-phone.ts'
import { putSettings, settingsQuery, useSettingsChanged } from '../queries.ts'
import { LogoField } from './logo-field.tsx'

// The revision is sent by the stale-edit guard, which knows the newest one.
const schema = updateSettingsBody
  .omit({ rev: true })
  .required({ title: true, logo: true, loginLogDays: true, operationLogDays: true, timeZone: true })

interface SettingFormProps {
  settings: Settings
  /** After saving or giving up: the form starts afresh with what is stored. */
  onRestart: () => void
}

const days = () => <InputNumber min={1} max={3650} precision={0} suffix={t('天')} />

/** Fewer days than now delete something: said before it is saved. */
const shorter = (log: string, now: number): FormRule => ({
  warningOnly: true,
  validator: (_rule, value: unknown) =>
    typeof value === 'number' && value < now
      ? Promise.reject(
          new Error(t('保存后，{count} 天以前的{log}会被删除，无法恢复', { count: value, log: inSentence(log) })),
        )
      : Promise.resolve(),
})

function SettingFields({ settings }: { settings: Settings }) {
  const server = useServerZone()
  const zones = [
    { value: '', label: server ? t('服务器时区 {zone}', { zone: zoneLabel(new Date(), server) }) : t('服务器时区') },
    ...Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value })),
  ]
  return (
    <>
      <h2 className="setting-title size-16 line-24 bold">{t('平台外观')}</h2>
      <Field name="title" label={t('平台名称')} extra={t('显示在登录页、页面左上角和浏览器标签上')}>
        <Input maxLength={32} showCount />
      </Field>
      <Field name="logo" label={t('平台图标')}>
        <LogoField />
      </Field>
      <h2 className="setting-title size-16 line-24 bold">{t('统计')}</h2>
      <Field
        name="timeZone"
        label={t('统计时区')}
        extra={t('“今日”和“近 7 天”从这个时区的零点算起；定时仍按服务器时区执行')}
      >
        <Select showSearch={{ optionFilterProp: 'label' }} options={zones} />
      </Field>
      <h2 className="setting-title size-16 line-24 bold">{t('日志保留')}</h2>
      <Field
        name="loginLogDays"
        label={t('登录日志')}
        extra={t('1 至 3650 天；超过的记录会自动删除')}
        rules={[shorter(t('登录日志'), settings.loginLogDays)]}
      >
        {days()}
      </Field>
      <Field
        name="operationLogDays"
        label={t('操作日志')}
        extra={t('1 至 3650 天；超过的记录会自动删除')}
        rules={[shorter(t('操作日志'), settings.operationLogDays)]}
      >
        {days()}
      </Field>
    </>
  )
}

export function SettingForm({ settings, onRestart }: SettingFormProps) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const phone = usePhone()
  const { formLayout } = usePreferences()
  const changed = useSettingsChanged()
  const stale = useStaleEdit(settings.rev, () => client.fetchQuery({ ...settingsQuery, staleTime: 0 }))
  const { rev: _, ...initialValues } = settings
  const props: FormDialogProps<typeof schema> = {
    title: t('系统设置'),
    open: true,
    onClose: onRestart,
    schema,
    initialValues,
    onSubmit: async (values) => {
      await stale.guard((rev) => putSettings({ ...values, rev }))
      void message.success(t('更新成功'))
      await changed()
    },
    children: <SettingFields settings={settings} />,
  }
  const dialog = useFormDialog(props)
  stale.bind(dialog.form)
  const { close, guard } = useDraft(dialog.draft)
  const { name, busy, dirty, failure, problems } = dialog

  return (
    <section className="list-card setting-card">
      {guard}
      <FormPane dialog={dialog} layout={phone ? 'vertical' : formLayout} />
      <div className="form-footer setting-footer line-above">
        <Failure of={failure} />
        <div className="form-buttons">
          <Button type="primary" htmlType="submit" form={name} loading={busy} disabled={!dirty || busy}>
            {t('保存')}
          </Button>
          <Button onClick={close} disabled={!dirty || busy}>
            {t('放弃修改')}
          </Button>
          {dirty && problems === 0 && (
            <span className="form-dirty small regular line-20 warning-text pad-x-8 round-4">{t('未保存')}</span>
          )}
          {problems > 0 && (
            <span className="form-problems error-text" role="status">
              {t('{problems} 处待修正', { problems })}
            </span>
          )}
          {stale.action}
        </div>
      </div>
    </section>
  )
}
