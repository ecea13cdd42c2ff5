import { LockOutlined, UserOutlined } from '@ant-design/icons'
import { Button, Checkbox, Form, type InputRef } from 'antd'
// By file: the whole Input brings text areas and one-time codes along, and this page has a budget.
import Input from 'antd/es/input/Input'
import Password from 'antd/es/input/Password'
import { useEffect, useRef, useState } from 'react'
import { guardedStore } from '#api/text-store.ts'
import { LoginCaptcha } from './login-captcha.tsx'
import { LoginSecondStep } from './login-second-step.tsx'
import { type LoginValues, useLogin } from './login-submit.ts'
import { useCaptcha } from './login-use-captcha.ts'

const store = guardedStore(() => localStorage)
/** Only the account is remembered, never the password. */
const rememberedKey = 'iThings-account'

/** Whether Caps Lock is on, as far as the last key told. */
function useCapsLock(): [boolean, (event: React.KeyboardEvent) => void, () => void] {
  const [on, setOn] = useState(false)
  return [on, (event) => setOn(event.getModifierState('CapsLock')), () => setOn(false)]
}

interface LoginFormProps {
  captcha: boolean
  onDone?: (userID: string) => void
}

export function LoginForm({ captcha, onDone }: LoginFormProps) {
  const [form] = Form.useForm<LoginValues>()
  const [capsLock, watchCapsLock, forgetCapsLock] = useCapsLock()
  const codeField = useRef<InputRef>(null)
  const secondField = useRef<InputRef>(null)
  const [refocus, setRefocus] = useState(0)
  const { failure, needsCaptcha, secondStep, leaveSecondStep, busy, submit } = useLogin(onDone)
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
        <div className="login-failure" role="alert">
          登录失败：{failure}
        </div>
      )}
      {secondStep && <LoginSecondStep field={secondField} />}
      <Form.Item
        name="account"
        label="用户名"
        hidden={secondStep}
        rules={[{ required: true, whitespace: true, message: '用户名必填' }]}
      >
        <Input
          prefix={<UserOutlined />}
          placeholder="用户名、手机号或邮箱"
          autoComplete="username"
          maxLength={128}
          autoFocus={remembered === ''}
        />
      </Form.Item>
      <Form.Item
        name="password"
        label="密码"
        hidden={secondStep}
        rules={[{ required: true, message: '密码必填' }]}
        extra={capsLock && <span className="login-caps">⇪ 大写锁定已开启</span>}
      >
        <Password
          prefix={<LockOutlined />}
          placeholder="请输入密码"
          autoComplete="current-password"
          maxLength={128}
          autoFocus={remembered !== ''}
          onKeyDown={watchCapsLock}
          onKeyUp={watchCapsLock}
          onBlur={forgetCapsLock}
        />
      </Form.Item>
      {withCaptcha && (
        <div hidden={secondStep && captchaGiven}>
          <LoginCaptcha picture={picture} field={codeField} />
        </div>
      )}
      <Form.Item name="remember" valuePropName="checked" className="login-remember" hidden={secondStep}>
        <Checkbox>记住用户名</Checkbox>
      </Form.Item>
      <Button type="primary" htmlType="submit" block loading={busy} disabled={busy}>
        登录
      </Button>
      {secondStep && (
        <p className="login-back">
          <button type="button" className="plain-button login-link" onClick={leaveSecondStep}>
            返回，换一个账号
          </button>
        </p>
      )}
    </Form>
  )
}
