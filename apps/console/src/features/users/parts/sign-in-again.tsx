import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { configQuery } from '#api/session-query.ts'
import { session } from '#api/session-store.ts'
import { focusFirstField } from '#kit/first-field.ts'
import { passkeyReach } from '../passkey-reach.ts'
import { besideAddress } from '../sign-on.ts'
import './login.css'
import { LoginForm } from './login-form.tsx'
import { ProviderButtons } from './sign-on-choices.tsx'

/** The session ended while something was unsaved: the page with the draft stays below. */
export function SignInAgain(props: { onDone: (userID: string) => void; onLeave: () => void }) {
  const { data: config } = useQuery(configQuery)
  // In another page of this browser: by a provider, or in any other way.
  const look = useEffectEvent(() => {
    if (session.complete()) props.onDone(session.userID())
  })
  useEffect(() => {
    window.addEventListener('storage', look)
    return () => window.removeEventListener('storage', look)
  }, [])
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
      <ProviderButtons
        title={t('或在新页面登录，完成后回到这里')}
        button={(key) => ({ href: besideAddress(key), target: '_blank', rel: 'noreferrer' })}
      />
    </Modal>
  )
}
