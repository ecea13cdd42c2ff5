import { verifySecondFactor } from '@ithings/contract/features/second-factor.ts'
import { t } from '@ithings/contract/text.ts'
import { call } from '#api/call.ts'
import { session } from '#api/session-store.ts'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { codeInput } from './enrol-second-factor.tsx'

/** Before a dangerous act: the code once more. */
export function FreshCodeModal({ open, onAnswer }: { open: boolean; onAnswer: (verified: boolean) => void }) {
  return (
    <FormModal
      title={t('请再次输入两步验证码')}
      open={open}
      onClose={() => onAnswer(false)}
      schema={verifySecondFactor.body}
      onSubmit={async (values) => {
        const { token } = await call(verifySecondFactor, values, { quiet: true })
        session.renew(token.accessToken)
        onAnswer(true)
      }}
      submitText={t('验证')}
      layout="vertical"
      width={440}
    >
      <Field name="secondCode" label={t('验证码或恢复码')} extra={t('这项操作影响较大，15 分钟内验证过一次即可。')}>
        {codeInput()}
      </Field>
    </FormModal>
  )
}
