import type { DataOf } from '@ithings/contract/endpoint.ts'
import { errors } from '@ithings/contract/errors.ts'
import { login, PasswordType } from '@ithings/contract/features/users.ts'
import { md5 } from '@ithings/contract/md5.ts'
import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { session } from '#api/session-store.ts'
import { safeRedirect } from '#api/sign-in-path.ts'
import { useNotices } from '#kit/notices.tsx'
import { withTexts } from '#language/language.ts'

export interface LoginValues {
  account: string
  password: string
  code?: string
  secondCode?: string
  remember?: boolean
}

const secondCodes: readonly number[] = [errors.secondFactorNeeded.code, errors.secondFactorWrong.code]
const captchaCodes: readonly number[] = [errors.captcha.code, errors.useCaptcha.code]

type GivenValues = LoginValues & { codeID: string }

const quiet = { quiet: true }

const bodyOf = ({ account, password, code = '', codeID, secondCode = '' }: GivenValues) =>
  ({ account, password: md5(password), pwdType: PasswordType.md5, loginType: 'pwd', code, codeID, secondCode }) as const

/** `onDone` goes on where the person is; without it the page that the address names follows. */
export function useLogin(onDone?: (userID: string) => void) {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const client = useQueryClient()
  const { message } = useNotices()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  // The configuration may be unreadable: an answer that asks for a captcha shows the field too.
  // The password was right: what is left is the code of the second factor.
  const [secondStep, setSecondStep] = useState(false)
  const [needsCaptcha, setNeedsCaptcha] = useState(false)

  /** What the person was asked for next; a passkey that was refused leaves him where he is. */
  const asksSecond = (error: unknown, refusal: number) =>
    secondCodes.includes(refusal) ||
    (secondStep && (refusal === errors.passkey.code || (error instanceof Error && error.name === 'PasskeyError')))

  /** `again`: the captcha is spent. The failure is shown in the form, so the call itself stays quiet. */
  const enter = async (ask: () => Promise<DataOf<typeof login>>): Promise<'done' | 'second' | 'again'> => {
    setBusy(true)
    setFailure('')
    try {
      const { token, info } = await ask()
      session.signIn(token.accessToken, info.userID)
      if (onDone) {
        onDone(info.userID)
        return 'done'
      }
      client.clear()
      void message.success(t('登录成功'))
      await navigate(safeRedirect(params.get('redirect')), { replace: true })
      return 'done'
    } catch (error) {
      const refusal = error instanceof ApiError ? error.code : 0
      const second = asksSecond(error, refusal)
      setSecondStep(second)
      // To be asked for the code is no failure.
      if (refusal !== errors.secondFactorNeeded.code) setFailure(error instanceof Error ? error.message : String(error))
      if (captchaCodes.includes(refusal)) setNeedsCaptcha(true)
      return second ? 'second' : 'again'
    } finally {
      setBusy(false)
    }
  }
  const submit = (values: GivenValues) => enter(() => call(login, bodyOf(values), quiet))
  /** Without values the passkey alone signs in. */
  const submitPasskey = (values?: GivenValues) =>
    enter(async () => {
      const { passkeyForSignIn, signInWithPasskey } = await withTexts('users/passkey', import('../passkey.ts'))
      if (!values) return signInWithPasskey()
      return call(login, { ...bodyOf(values), secondCode: '', passkey: await passkeyForSignIn() }, quiet)
    })
  const leaveSecondStep = () => {
    setSecondStep(false)
    setFailure('')
  }
  return { busy, failure, needsCaptcha, secondStep, leaveSecondStep, submit, submitPasskey }
}
