import { BankOutlined } from '@ant-design/icons'
import { listSignOnChoices } from '@ithings/contract/features/sign-on.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { endpointQuery } from '#api/endpoint-query.ts'
import { readLanguage } from '#language/language.ts'
import { leaveFor, type SignInState, signInAddress } from '../sign-on.ts'

const choicesQuery = endpointQuery(listSignOnChoices, {}, { quiet: true })

/** Leaves for a provider; while it does, its button turns. */
function useLeaving() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const [leaving, setLeaving] = useState('')
  const redirect = params.get('redirect') ?? ''
  const leave = async (key: string) => {
    setLeaving(key)
    try {
      await leaveFor(key, redirect)
    } catch (error) {
      setLeaving('')
      const state: SignInState = { failure: error instanceof Error ? error.message : String(error) }
      await navigate(signInAddress(redirect), { replace: true, state })
    }
  }
  return { leaving, leave }
}

/** Why somebody came back from a provider without success. */
export function SignOnFailure() {
  const { failure } = (useLocation().state ?? {}) as SignInState
  if (!failure) return null
  return (
    <div className="login-failure pad-8-12 round-6 below-16 error-text anywhere" role="alert">
      {t('登录失败：{reason}', { reason: failure })}
    </div>
  )
}

/** A button for each provider. An address with ?signOn= begins at once: portals of companies link to it. */
export function SignOnChoices() {
  const { data } = useQuery(choicesQuery)
  const [params, setParams] = useSearchParams()
  const { leaving, leave } = useLeaving()
  const asked = params.get('signOn')
  const begun = useRef(false)
  useEffect(() => {
    if (!asked || begun.current) return
    begun.current = true
    // Whoever goes back from the provider stays here.
    setParams(
      (now) => {
        now.delete('signOn')
        return now
      },
      { replace: true },
    )
    void leave(asked)
  }, [asked, leave, setParams])
  const list = data?.list ?? []
  if (list.length === 0) return null
  return (
    <div className="login-choices">
      <p className="login-or bare centered small quiet">{t('或')}</p>
      <div className="column gap-12">
        {list.map(({ key, name, nameEn }) => {
          const shown = (readLanguage() === 'en' && nameEn) || name
          return (
            <Button
              key={key}
              block
              size="large"
              icon={<BankOutlined />}
              loading={leaving === key}
              disabled={leaving !== ''}
              onClick={() => void leave(key)}
            >
              {t('通过 {name} 登录', { name: shown })}
            </Button>
          )
        })}
      </div>
    </div>
  )
}
