import { errors } from '@ithings/contract/errors.ts'
import { login, PasswordType } from '@ithings/contract/features/users.ts'
import { useQueryClient } from '@tanstack/react-query'
import useApp from 'antd/es/app/useApp'
import { md5 } from 'js-md5'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { session } from '#api/session-store.ts'
import { safeRedirect } from '#api/sign-in-path.ts'

export interface LoginValues {
  account: string
  password: string
  code?: string
  remember?: boolean
}

const captchaCodes: readonly number[] = [errors.captcha.code, errors.useCaptcha.code]

export function useLogin() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const client = useQueryClient()
  const { message } = useApp()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  // The configuration may be unreadable: an answer that asks for a captcha shows the field too.
  const [needsCaptcha, setNeedsCaptcha] = useState(false)

  /** True when signed in. The failure is shown in the form, so the call itself stays quiet. */
  const submit = async (values: LoginValues & { codeID: string }): Promise<boolean> => {
    setBusy(true)
    setFailure('')
    try {
      const { account, password, code = '', codeID } = values
      const body = {
        account,
        password: md5(password),
        pwdType: PasswordType.md5,
        loginType: 'pwd',
        code,
        codeID,
      } as const
      const { token, info } = await call(login, body, { quiet: true })
      session.signIn(token.accessToken, info.userID)
      client.clear()
      void message.success('登录成功')
      await navigate(safeRedirect(params.get('redirect')), { replace: true })
      return true
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
      if (error instanceof ApiError && captchaCodes.includes(error.code)) setNeedsCaptcha(true)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, failure, needsCaptcha, submit }
}
