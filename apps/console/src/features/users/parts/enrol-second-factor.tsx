import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import { recoveryCodeCount, type startSecondFactor } from '@ithings/contract/features/second-factor.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button, Form, Input, QRCode } from 'antd'
import { useState } from 'react'
import { CopyButton, useCopy } from '#kit/copyable.tsx'
import { useAttempt } from '#kit/use-attempt.ts'
import { useConfirmSecondFactor, useStartSecondFactor } from '../account-queries.ts'
import './profile.css'

/** One question, one button, and why it did not work. */
function Step(props: {
  field: string
  label: string
  input: React.ReactNode
  submitText: string
  onSubmit: (value: string) => Promise<unknown>
}) {
  const { busy, failure, attempt } = useAttempt()
  const submit = (values: Record<string, string>) => attempt(() => props.onSubmit(values[props.field] ?? ''))
  return (
    <Form layout="vertical" requiredMark={false} onFinish={(values) => void submit(values)}>
      <Form.Item
        name={props.field}
        label={props.label}
        rules={[{ required: true, message: t('{label}必填', { label: props.label }) }]}
      >
        {props.input}
      </Form.Item>
      {failure && <Alert type="error" showIcon title={failure} className="below-16" />}
      <Button type="primary" htmlType="submit" loading={busy} block>
        {props.submitText}
      </Button>
    </Form>
  )
}

export const codeInput = () => (
  // No keyboard of digits: recovery codes have letters.
  <Input autoComplete="one-time-code" maxLength={32} placeholder={t('6 位数字或恢复码')} autoFocus />
)

function ScanStep(props: { made: DataOf<typeof startSecondFactor>; onCodes: (codes: string[]) => void }) {
  const { secret, secretUri } = props.made
  const confirm = useConfirmSecondFactor()
  return (
    <>
      <p>{t('用身份验证器应用（支持 TOTP 的任意应用）扫描二维码，或手动输入密钥。')}</p>
      <div className="flex center">
        <QRCode value={secretUri} type="svg" color="#000" bgColor="#fff" size={184} />
      </div>
      <p className="enrol-secret center gap-4-8 flex wrap anywhere">
        <span className="mono">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</span>
        <CopyButton text={secret} label={t('复制密钥')} />
      </p>
      <Step
        field="secondCode"
        label={t('应用显示的验证码')}
        input={
          <Input inputMode="numeric" autoComplete="one-time-code" maxLength={6} placeholder={t('6 位数字')} autoFocus />
        }
        submitText={t('启用')}
        onSubmit={async (code) => props.onCodes((await confirm.mutateAsync(code)).recoveryCodes)}
      />
    </>
  )
}

export function RecoveryCodes({ title, codes, onDone }: { title: string; codes: string[]; onDone: () => void }) {
  const [copied, copy] = useCopy()
  return (
    <>
      <Alert
        type="success"
        showIcon
        className="above-12"
        title={title}
        description={t('请保存这 {count} 个恢复码。手机丢失时，每个可以代替验证码使用一次；关闭后不再显示。', {
          count: recoveryCodeCount,
        })}
      />
      <ul
        className="grid pad-16 gap-8-16 lined round-6 mono"
        style={{
          gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 260px), 1fr))',
          margin: '16px 0',
          listStyle: 'none',
        }}
        aria-label={t('恢复码')}
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="at-end row gap-12">
        <Button icon={copied ? <CheckOutlined /> : <CopyOutlined />} onClick={() => copy(codes.join('\n'))}>
          {t('复制全部')}
        </Button>
        <Button type="primary" onClick={onDone}>
          {t('已保存，完成')}
        </Button>
      </div>
    </>
  )
}

/** Password, QR code, recovery codes: in a dialog, or instead of the console where the role demands it. */
export function EnrolSecondFactor({ onDone }: { onDone: () => void }) {
  const [made, setMade] = useState<DataOf<typeof startSecondFactor>>()
  const [codes, setCodes] = useState<string[]>()
  const start = useStartSecondFactor()
  if (codes) return <RecoveryCodes title={t('两步验证已启用')} codes={codes} onDone={onDone} />
  if (made) return <ScanStep made={made} onCodes={setCodes} />
  return (
    <Step
      field="password"
      label={t('登录密码')}
      input={<Input.Password autoComplete="current-password" maxLength={128} autoFocus />}
      submitText={t('下一步')}
      onSubmit={async (password) => setMade(await start.mutateAsync(password))}
    />
  )
}
