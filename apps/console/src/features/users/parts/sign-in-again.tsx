import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Modal } from 'antd'
import { configQuery } from '#api/session-query.ts'
import { focusFirstField } from '#kit/first-field.ts'
import { passkeyReach } from '../passkey-reach.ts'
import './login.css'
import { LoginForm } from './login-form.tsx'

/** The session ended while something was unsaved: the page with the draft stays below. */
export function SignInAgain(props: { onDone: (userID: string) => void; onLeave: () => void }) {
  const { data: config } = useQuery(configQuery)
  return (
    <Modal
      title={t('登录已失效，请重新登录')}
      open
      width={416}
      footer={null}
      mask={{ closable: false }}
      onCancel={props.onLeave}
      afterOpenChange={focusFirstField}
    >
      <p className="login-welcome quiet">{t('已填写的内容还在，登录后可以继续保存。')}</p>
      <LoginForm
        captcha={config?.captcha ?? false}
        passkeys={passkeyReach(config?.passkeyOrigin ?? '') === 'here'}
        onDone={props.onDone}
      />
    </Modal>
  )
}
