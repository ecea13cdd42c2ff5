import {
  type ForwardForm,
  type ForwardRule,
  forwardFormLabels,
  forwardForms,
  forwardSourceLabels,
  forwardSources,
  readForward,
  sampleScript,
  testForward,
} from '@ithings/contract/features/forwarding/rules.ts'
import { t } from '@ithings/contract/text.ts'
import { App, Checkbox, Form, type FormInstance, Input, InputNumber } from 'antd'
import { call } from '#api/call.ts'
import { ChannelPicker } from '#blocks/channel-picker.tsx'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { CodeEditor } from '#kit/code-editor.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import { RadioCards } from '#kit/radio-cards.tsx'
import { May } from '#kit/rights.tsx'
import { useCreateForward, useUpdateForward } from '../queries.ts'
import { bodyOf, formOf, newRule, type RuleFormValues, ruleForm } from '../rule-form.ts'
import { FilterFields } from './filter-fields.tsx'
import './forward-form.css'
import { TargetFields } from './target-fields.tsx'
import { TestShot } from './test-shot.tsx'

const formTexts: Record<ForwardForm, string> = {
  json: '编号、来源、设备、时间和数据',
  cloudevents: '云原生事件标准的 JSON 格式',
  script: '用 JavaScript 改写每条消息',
}

interface FormInputProps {
  value?: ForwardForm
  onChange?: (form: ForwardForm) => void
}

const FormInput = ({ value, onChange }: FormInputProps) => (
  <RadioCards
    aria-label={t('消息格式')}
    value={value}
    options={forwardForms.map((one) => ({ value: one, title: forwardFormLabels[one], text: formTexts[one] }))}
    onChange={(next) => onChange?.(next)}
  />
)

function FormFields({ form }: { form: FormInstance }) {
  const chosen: ForwardForm = Form.useWatch('form', form) ?? 'json'
  const begin = (next: ForwardForm) => {
    if (next === 'script' && !form.getFieldValue('script')) form.setFieldsValue({ script: sampleScript })
  }
  return (
    <>
      <Field name="form" label={t('消息格式')}>
        <FormInput onChange={begin} />
      </Field>
      {chosen === 'script' && (
        <Field
          name="script"
          label={t('脚本')}
          required
          extra={t(
            '函数 forward 收到一条平台 JSON 消息，返回要发送的内容；返回 null 或不返回则这条不发送。用「发送测试」查看改写的结果。',
          )}
        >
          <CodeEditor language="javascript" aria-label={t('转发脚本')} height={240} />
        </Field>
      )}
    </>
  )
}

function LagFields({ form }: { form: FormInstance }) {
  const lagSeconds: number = Form.useWatch('lagSeconds', form) ?? 0
  return (
    <>
      <Field
        name="lagSeconds"
        label={t('延迟超过多少秒时告警')}
        extra={t('最早一条未发送的消息等待了这么久时通知；0 表示不通知')}
      >
        <InputNumber min={0} max={86_400} precision={0} suffix={t('秒')} style={{ width: 160 }} />
      </Field>
      {lagSeconds > 0 && (
        <Field name="channelIDs" label={t('通知渠道')}>
          <ChannelPicker />
        </Field>
      )}
    </>
  )
}

function RuleFields({ form, rule }: { form: FormInstance; rule: ForwardRule | undefined }) {
  return (
    <div className="forward-form">
      <Field name="name" label={t('名称')}>
        <Input maxLength={64} showCount placeholder={t('例如：数据进入数据仓库')} />
      </Field>
      <Field name="desc" label={t('说明')}>
        <Input.TextArea maxLength={200} autoSize={{ minRows: 1, maxRows: 4 }} />
      </Field>
      <h3 className="subtitle">{t('发送什么')}</h3>
      <Field name="sources" label={t('来源')}>
        <Checkbox.Group
          className="wrap gap-8-16"
          options={forwardSources.map((value) => ({ value, label: t(forwardSourceLabels[value]) }))}
        />
      </Field>
      <FilterFields form={form} />
      <FormFields form={form} />
      <h3 className="subtitle">{t('发往哪里')}</h3>
      <TargetFields form={form} rule={rule} />
      <May needs={testForward}>
        <TestShot form={form} rule={rule} />
      </May>
      <h3 className="subtitle">{t('延迟告警')}</h3>
      <LagFields form={form} />
    </div>
  )
}

interface FormProps {
  open: boolean
  onClose: () => void
}

const width = 720

export function CreateForwardForm({ open, onClose }: FormProps) {
  const { message } = App.useApp()
  const create = useCreateForward()
  return (
    <FormDrawer
      title={t('新增转发规则')}
      open={open}
      onClose={onClose}
      width={width}
      schema={ruleForm}
      initialValues={newRule}
      submitText={t('创建')}
      onSubmit={async (values) => {
        await create.mutateAsync(bodyOf(values))
        void message.success(t('创建成功'))
      }}
    >
      {(form) => <RuleFields form={form} rule={undefined} />}
    </FormDrawer>
  )
}

export function EditForwardForm({ rule, open, onClose }: FormProps & { rule: ForwardRule }) {
  const { message } = App.useApp()
  const update = useUpdateForward()
  const stale = useStaleEdit(rule.rev, async () => {
    const latest = await call(readForward, { id: rule.id }, { quiet: true })
    return { ...formOf(latest), rev: latest.rev }
  })
  const save = (values: RuleFormValues) =>
    stale.guard((rev) => update.mutateAsync({ id: rule.id, rev, ...bodyOf(values) }))
  return (
    <FormDrawer
      title={t('编辑转发规则「{name}」', { name: rule.name })}
      open={open}
      onClose={onClose}
      width={width}
      schema={ruleForm}
      initialValues={formOf(rule)}
      footerExtra={stale.action}
      onSubmit={async (values) => {
        await save(values)
        void message.success(t('更新成功'))
      }}
    >
      {(form) => {
        stale.bind(form)
        return <RuleFields form={form} rule={rule} />
      }}
    </FormDrawer>
  )
}
