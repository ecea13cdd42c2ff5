import { SendOutlined } from '@ant-design/icons'
import {
  type Channel,
  type ChannelSettings,
  channelSettings,
  readChannel,
  testChannel,
} from '@ithings/contract/features/notify.ts'
import { type ChannelType, channelTypeLabels, channelTypes } from '@ithings/contract/rules/channel-types.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button, Form, type FormInstance, Input, Radio, Select, type SelectProps } from 'antd'
import { Field, type InputProps } from '#kit/form/field.tsx'
import { checkAll, schemaRules } from '#kit/form/schema-rules.ts'
import { ActButton, May } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { languages } from '#language/language.ts'
import { translated } from '../translated.ts'
import '../apart-buttons.css'
import { ChannelTypeIcon } from '../channel-type-icon.tsx'
import { enabledOptions } from '../enabled-status.ts'
import { HeadersInput } from '../headers-input.tsx'
import { StoredSecretField } from '../stored-secret-field.tsx'
import { addressExample, addressHelp, mentionHelp, WebhookHelp } from './channel-help.tsx'
import { channelForm, isMasked, isRobot, settingsOf, takesSecret, unmask } from './channel-values.ts'
import { useReadChannel, useTestChannel } from './channel-work.ts'
import { MailWarning } from './mail-warning.tsx'
import { TestResult } from './test-result.tsx'

/** Entries of a list typed or pasted one after the other. */
const tags: SelectProps = {
  mode: 'tags',
  // Typed by people, not a text.
  tokenSeparators: [',', '，', ';', '；', ' ', '\n'],
  open: false,
  suffixIcon: null,
}

/** Shown while it is being typed; the whole is judged when it is saved. */
const urlRules = schemaRules(channelSettings, 'url', '地址')
const toRules = schemaRules(channelSettings, 'to', '收件人')

interface ChannelFieldsProps {
  form: FormInstance
  /** The one that is edited. */
  channel: Channel | undefined
  mailReady: boolean
}

function TypeChoice({ value, onChange, id }: InputProps<ChannelType>) {
  return (
    <Radio.Group
      id={id ?? ''}
      className="type-choice apart-buttons gap-8"
      value={value}
      onChange={(event) => onChange?.(event.target.value as ChannelType)}
    >
      {channelTypes.map((type) => (
        <Radio.Button key={type} value={type}>
          <span className="nowrap inline-row gap-8">
            <ChannelTypeIcon type={type} />
            {t(channelTypeLabels[type])}
          </span>
        </Radio.Button>
      ))}
    </Radio.Group>
  )
}

/** decisions.md 4.4: keys are masked until somebody who may see them asks for them. */
function HiddenKeys({ form, channel }: { form: FormInstance; channel: Channel }) {
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
      <span className="meta">{t('密钥已隐藏为 ******，保持原样则不修改。')}</span>
      <ActButton needs={readChannel} type="link" size="small" loading={isPending} onClick={show}>
        {t('显示完整内容')}
      </ActButton>
      {error && <div className="tone-error">{describeError(error).reason}</div>}
    </div>
  )
}

function TestPart({ form, channel }: Pick<ChannelFieldsProps, 'form' | 'channel'>) {
  const { mutate, data, error, isPending } = useTestChannel()
  const run = async () => {
    try {
      await form.validateFields(['url', 'to', 'headers', 'mentions', 'secret'], { recursive: true })
    } catch {
      // The fields say what is wrong with them.
      return
    }
    const values = form.getFieldsValue(true) as Record<string, unknown>
    // The name is not part of what is tested.
    const checked = checkAll(channelForm, { ...values, name: values.name || t('测试') }, new Map())
    if ('problems' in checked) {
      form.setFields(checked.problems.map(({ path, text }) => ({ name: path.slice(0, 1), errors: [text] })))
      return
    }
    const { type, language } = checked.data
    mutate({ ...(channel && { id: channel.id }), type, language, settings: settingsOf(checked.data) })
  }
  return (
    <div className="line-above column gap-12" style={{ paddingTop: 16 }}>
      <span className="wrap inline-row gap-8">
        <Button icon={<SendOutlined />} loading={isPending} onClick={() => void run()}>
          {t('测试')}
        </Button>
        <span className="meta">{t('用当前填写的内容发送一条测试通知，不会保存')}</span>
      </span>
      {!isPending && data && <TestResult result={data} />}
      {!isPending && error && <Alert type="error" showIcon title={describeError(error).reason} />}
    </div>
  )
}

export function ChannelFields({ form, channel, mailReady }: ChannelFieldsProps) {
  const type = Form.useWatch<ChannelType | undefined>('type', form)
  return (
    <>
      <Field name="type" label={t('类型')}>
        <TypeChoice />
      </Field>
      <Field name="name" label={t('名称')} extra={t('在场景和告警中按名称选择')}>
        <Input maxLength={64} placeholder={t('例如 值班群')} />
      </Field>
      {type === 'email' ? (
        <>
          {!mailReady && <MailWarning />}
          <Field name="to" label={t('收件人')} required rules={toRules} extra={t('输入邮箱地址后按回车，可粘贴多个')}>
            <Select {...tags} placeholder="name@example.com" />
          </Field>
        </>
      ) : (
        <>
          <Field name="url" label={t('地址')} required rules={urlRules} extra={type && t(addressHelp[type])}>
            <Input className="mono" maxLength={2048} placeholder={type && addressExample[type]} />
          </Field>
          {channel && <HiddenKeys form={form} channel={channel} />}
        </>
      )}
      {takesSecret(type) && (
        <StoredSecretField
          label={type === 'webhook' ? t('签名密钥') : t('加签密钥')}
          extra={
            type === 'webhook'
              ? t('可选。设置后每个请求都带签名，接收方可以确认来自本平台。')
              : t('安全设置不用签名时留空。')
          }
          maxLength={256}
          saved={channel?.hasSecret === true && channel.type === type}
        />
      )}
      {type === 'webhook' && (
        <>
          <HeadersInput />
          <WebhookHelp />
        </>
      )}
      {type && isRobot(type) && (
        <Field name="mentions" label={t('提醒谁看')} extra={t(mentionHelp[type] ?? '')}>
          <Select {...tags} placeholder={t('可不填')} />
        </Field>
      )}
      <Field name="language" label={t('通知语言')} extra={t('平台写的内容用这种语言，自己写的标题和内容不变')}>
        <Radio.Group options={Object.entries(languages).map(([value, label]) => ({ value, label }))} />
      </Field>
      <Field name="desc" label={t('说明')}>
        <Input.TextArea maxLength={200} autoSize={{ minRows: 2, maxRows: 4 }} />
      </Field>
      <Field name="status" label={t('状态')}>
        <Radio.Group options={translated(enabledOptions)} />
      </Field>
      <May needs={testChannel}>
        <TestPart form={form} channel={channel} />
      </May>
    </>
  )
}
