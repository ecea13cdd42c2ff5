import { addPasskeyBody } from '@ithings/contract/features/passkeys.ts'
import { startSecondFactor } from '@ithings/contract/features/second-factor.ts'
import { t } from '@ithings/contract/text.ts'
import { App, Input, Modal } from 'antd'
import { useState } from 'react'
import { Field } from '#kit/form/field.tsx'
import { FormModal } from '#kit/form/form-modal.tsx'
import { useAddPasskey } from '../account-queries.ts'
import { RecoveryCodes } from './enrol-second-factor.tsx'

const named = addPasskeyBody.pick({ name: true })
const withPassword = named.extend(startSecondFactor.body.pick({ password: true }).shape)

interface AddPasskeyProps {
  open: boolean
  /** The account has no second factor yet: the password is asked for, and recovery codes come with it. */
  first: boolean
  /** The name that is offered. */
  name: string
  onClose: () => void
  onDone: () => void
}

/** Name, then the browser asks, then the recovery codes of a first one. */
export function AddPasskey({ open, first, name, onClose, onDone }: AddPasskeyProps) {
  const { message } = App.useApp()
  const add = useAddPasskey()
  const [codes, setCodes] = useState<string[]>([])
  const submit = async (given: { name: string; password?: string }) => {
    const { recoveryCodes } = await add.mutateAsync({ name: given.name, password: given.password ?? '' })
    void message.success(t('通行密钥已添加'))
    setCodes(recoveryCodes)
    if (recoveryCodes.length === 0) onDone()
  }
  const done = () => {
    setCodes([])
    onDone()
  }
  return (
    <>
      <FormModal
        title={t('添加通行密钥')}
        open={open}
        onClose={onClose}
        schema={first ? withPassword : named}
        initialValues={{ name }}
        onSubmit={submit}
        submitText={t('下一步')}
        layout="vertical"
        width={440}
      >
        <Field name="name" label={t('名称')} extra={t('接下来由浏览器询问保存在哪里，并用指纹、面容或 PIN 确认。')}>
          <Input maxLength={32} showCount />
        </Field>
        {first && (
          <Field name="password" label={t('登录密码')}>
            <Input.Password autoComplete="current-password" maxLength={128} />
          </Field>
        )}
      </FormModal>
      <Modal
        title={t('恢复码')}
        open={codes.length > 0}
        onCancel={done}
        footer={null}
        width={440}
        mask={{ closable: false }}
      >
        <RecoveryCodes title={t('通行密钥已添加')} codes={codes} onDone={done} />
      </Modal>
    </>
  )
}
