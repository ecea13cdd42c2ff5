import { LockOutlined, SafetyOutlined, UserOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button, Checkbox, Form, type InputRef } from 'antd'
import Input from 'antd/es/input/Input'
import Password from 'antd/es/input/Password'
import { type Ref, useEffect, useRef, useState } from 'react'
import { guardedStore } from '#api/text-store.ts'
import { type LoginValues, useLogin } from './login-submit.ts'
import { type Captcha, useCaptcha } from './login-use-captcha.ts'

const minutes = (seconds: number) =>
  seconds >= 60 ? t('{count} 分钟', { count: Math.round(seconds / 60) }) : t('{count} 秒', { count: seconds })

function LoginCaptcha({ picture, field }: { picture: Captcha; field: Ref<InputRef> }) {
  return (
    <div className="login-captcha grid">
      <Form.Item
        name="code"
        label={t('验证码')}
        rules={[{ required: true, whitespace: true, message: t('请输入验证码') }]}
      >
        <Input ref={field} placeholder={t('请输入图中字符')} autoComplete="off" maxLength={16} />
      </Form.Item>
      <button
        type="button"
        className="plain-button login-picture clip bordered round-6 row center"
        onClick={picture.renew}
        aria-label={t('验证码图片，点击换一张')}
        title={t('点击换一张')}
      >
        {picture.url ? (
          <img src={picture.url} alt={t('验证码')} />
        ) : (
          <span className="meta">{picture.failed ? t('加载失败，点击重试') : t('加载中')}</span>
        )}
      </button>
      <div className="meta flex between" style={{ gridColumn: '1 / -1', margin: '4px 0 16px' }}>
        <span>
          {picture.expire > 0
            ? t('不区分大小写，{duration}内有效', { duration: minutes(picture.expire) })
            : t('不区分大小写')}
        </span>
        <button type="button" className="plain-button link" onClick={picture.renew}>
          {t('看不清，换一张')}
        </button>
      </div>
    </div>
  )
}

/** Behind the right password of an account with a second factor. */
function LoginSecondStep({ field }: { field: Ref<InputRef> }) {
  return (
    <Form.Item
      name="secondCode"
      label={t('两步验证码')}
      rules={[{ required: true, whitespace: true, message: t('请输入两步验证码') }]}
      extra={t('打开身份验证器应用查看验证码；手机不在身边时输入一个恢复码')}
    >
      <Input
        ref={field}
        prefix={<SafetyOutlined />}
        placeholder={t('6 位数字或恢复码')}
        autoComplete="one-time-code"
        maxLength={32}
      />
    </Form.Item>
  )
}

const store = guardedStore(() => localStorage)
/** Only the account is remembered, never the password. */
const rememberedKey = 'iThings-account'

/** Tells whether Caps Lock is on, as far as the last key told. */
function PasswordField({ hidden, autoFocus }: { hidden: boolean; autoFocus: boolean }) {
  const [capsLock, setCapsLock] = useState(false)
  const watch = (event: React.KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <Form.Item
      name="password"
      label={t('密码')}
      hidden={hidden}
      rules={[{ required: true, message: t('密码必填') }]}
      extra={capsLock && <span className="small warning-text">{t('⇪ 大写锁定已开启')}</span>}
    >
      <Password
        prefix={<LockOutlined />}
        placeholder={t('请输入密码')}
        autoComplete="current-password"
        maxLength={128}
        autoFocus={autoFocus}
        onKeyDown={watch}
        onKeyUp={watch}
        onBlur={() => setCapsLock(false)}
      />
    </Form.Item>
  )
}

interface LoginFormProps {
  captcha: boolean
  /** Whether passkeys work on this page. */
  passkeys: boolean
  onDone?: (userID: string) => void
}

export function LoginForm({ captcha, passkeys, onDone }: LoginFormProps) {
  const [form] = Form.useForm<LoginValues>()
  const codeField = useRef<InputRef>(null)
  const secondField = useRef<InputRef>(null)
  const [refocus, setRefocus] = useState(0)
  const { failure, needsCaptcha, secondStep, leaveSecondStep, busy, submit, submitPasskey } = useLogin(onDone)
  const withCaptcha = captcha || needsCaptcha
  const picture = useCaptcha(withCaptcha, () => form.setFieldValue('code', ''))
  const remembered = store.get(rememberedKey)
  // Shown again beside the second code only when its picture was replaced meanwhile.
  const captchaGiven = Boolean(Form.useWatch('code', form))

  // After a failure the code is spent, after the password the second one is asked for: the focus goes where the typing goes on.
  useEffect(() => {
    if (refocus > 0) (secondField.current ?? codeField.current)?.focus()
  }, [refocus])

  const finish = async (values: LoginValues) => {
    if (busy) return
    if (values.remember) store.set(rememberedKey, values.account)
    else store.remove(rememberedKey)
    const outcome = await submit({ ...values, codeID: picture.codeID })
    form.setFieldValue('secondCode', '')
    if (outcome === 'done') return
    if (outcome === 'again') picture.replace()
    setRefocus((n) => n + 1)
  }

  const finishByPasskey = async () => {
    const given = secondStep ? { ...form.getFieldsValue(true), codeID: picture.codeID } : undefined
    // Of a passkey alone no captcha is spent.
    if ((await submitPasskey(given)) === 'again' && given) picture.replace()
  }

  return (
    <Form<LoginValues>
      form={form}
      layout="vertical"
      size="large"
      requiredMark={false}
      initialValues={{ account: remembered, remember: remembered !== '' }}
      onFinish={(values) => void finish(values)}
      validateTrigger={['onBlur', 'onSubmit']}
    >
      {failure && (
        <div className="login-failure pad-8-12 round-6 below-16 error-text anywhere" role="alert">
          {t('登录失败：{reason}', { reason: failure })}
        </div>
      )}
      {secondStep && <LoginSecondStep field={secondField} />}
      <Form.Item
        name="account"
        label={t('用户名')}
        hidden={secondStep}
        rules={[{ required: true, whitespace: true, message: t('用户名必填') }]}
      >
        <Input
          prefix={<UserOutlined />}
          placeholder={t('用户名、手机号或邮箱')}
          autoComplete="username"
          maxLength={128}
          autoFocus={remembered === ''}
        />
      </Form.Item>
      <PasswordField hidden={secondStep} autoFocus={remembered !== ''} />
      {withCaptcha && (
        <div hidden={secondStep && captchaGiven}>
          <LoginCaptcha picture={picture} field={codeField} />
        </div>
      )}
      <Form.Item name="remember" valuePropName="checked" className="login-remember" hidden={secondStep}>
        <Checkbox>{t('记住用户名')}</Checkbox>
      </Form.Item>
      <Button type="primary" htmlType="submit" block loading={busy} disabled={busy}>
        {t('登录')}
      </Button>
      {passkeys && (
        <Button className="above-12" block disabled={busy} onClick={() => void finishByPasskey()}>
          {t('使用通行密钥')}
        </Button>
      )}
      {secondStep && (
        <p className="bare above-12 centered">
          <button type="button" className="plain-button link" onClick={leaveSecondStep}>
            {t('返回，换一个账号')}
          </button>
        </p>
      )}
    </Form>
  )
}
