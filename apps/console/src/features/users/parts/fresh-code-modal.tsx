import { freshCode, verifySecondFactor } from '@ithings/contract/features/second-factor.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { call } from '#api/call.ts'
import { configQuery } from '#api/session-query.ts'
import { session } from '#api/session-store.ts'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { useAttempt } from '#kit/use-attempt.ts'
import { secondFactorQuery, verifyByPasskey } from '../account-queries.ts'
import { passkeyReach } from '../passkey-reach.ts'
import { codeInput } from './enrol-second-factor.tsx'

/** Before a dangerous act: the code once more, or a passkey. */
export function FreshCodeModal({ open, onAnswer }: { open: boolean; onAnswer: (verified: boolean) => void }) {
  const { data: config } = useQuery(configQuery)
  const { data: factor } = useQuery({ ...secondFactorQuery, enabled: open })
  const { busy, failure, attempt } = useAttempt()
  const byPasskey = (factor?.passkeys ?? 0) > 0 && passkeyReach(config?.passkeyOrigin ?? '') === 'here'
  const verify = () =>
    attempt(async () => {
      await verifyByPasskey()
      onAnswer(true)
    })
  return (
    <FormModal
      title={t('请再次输入两步验证码')}
      open={open}
      onClose={() => onAnswer(false)}
      schema={freshCode}
      onSubmit={async (values) => {
        const { token } = await call(verifySecondFactor, values, { quiet: true })
        session.renew(token.accessToken)
        onAnswer(true)
      }}
      submitText={t('验证')}
      footerExtra={
        byPasskey && (
          <Button loading={busy} onClick={() => void verify()}>
            {t('使用通行密钥')}
          </Button>
        )
      }
      layout="vertical"
      width={440}
    >
      {failure && <Alert type="error" showIcon title={failure} className="below-16" />}
      <Field name="secondCode" label={t('验证码或恢复码')} extra={t('这项操作影响较大，15 分钟内验证过一次即可。')}>
        {codeInput()}
      </Field>
    </FormModal>
  )
}
