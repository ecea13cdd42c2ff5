import { MoonOutlined, SunOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { configQuery } from '#api/session-query.ts'
import { useLanguageChoice } from '#api/use-language-choice.ts'
import { builtInLogo } from '#kit/built-in-logo.ts'
import { LanguageButton } from '#kit/language-button.tsx'
import { usePreferences } from '#kit/preferences.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { passkeyReach } from '../passkey-reach.ts'
import '../parts/login.css'
import { LoginForm } from '../parts/login-form.tsx'
import { LoginPanel } from '../parts/login-panel.tsx'
import { SignOnChoices, SignOnFailure } from '../parts/sign-on-choices.tsx'

/** spec 2: login page, no layout. */
export function Login() {
  const phone = usePhone()
  const { dark, set } = usePreferences()
  const { data: config } = useQuery(configQuery)
  const { language, choose } = useLanguageChoice()
  const title = config?.title || 'iThings'
  const logo = config?.logo || builtInLogo
  const windowTitle = t('用户登录 - {title}', { title })
  useEffect(() => {
    document.title = windowTitle
  }, [windowTitle])
  const themeLabel = dark ? t('切换到浅色主题') : t('切换到深色主题')

  return (
    <div className="login">
      {!phone && <LoginPanel title={title} logo={logo} />}
      <main className={phone ? 'login-side grow shrink relative login-side-phone' : 'login-side grow shrink relative'}>
        <button
          type="button"
          className="plain-button login-theme inline-row softer center size-16 absolute"
          aria-label={themeLabel}
          title={themeLabel}
          onClick={() => set({ theme: dark ? 'light' : 'dark' })}
        >
          {dark ? <SunOutlined /> : <MoonOutlined />}
        </button>
        <LanguageButton className="login-language" language={language} onChoose={choose} />
        <div className="login-box wide">
          {phone && <img className="login-logo below-16" src={logo} alt="" />}
          <h1 className="login-title bare bold">{t('用户登录')}</h1>
          <p className="login-welcome quiet">{t('欢迎使用 {title} 管理控制台', { title })}</p>
          <SignOnFailure />
          <LoginForm
            captcha={config?.captcha ?? false}
            passkeys={passkeyReach(config?.passkeyOrigin ?? '') === 'here'}
          />
          <SignOnChoices />
          <p className="bare above-16 line-20 centered small quiet">{t('忘记密码或账号被锁定，请联系平台管理员')}</p>
        </div>
        <footer className="login-footer line-20 absolute small quiet">
          {t('{title} 管理控制台', { title })} {config?.version ? `v${config.version.replace(/^v/, '')}` : ''}
        </footer>
      </main>
    </div>
  )
}
