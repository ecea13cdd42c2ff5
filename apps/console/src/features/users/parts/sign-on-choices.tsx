import { BankOutlined } from '@ant-design/icons'
import { listSignOnChoices } from '@ithings/contract/features/sign-on-flow.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, type ButtonProps } from 'antd'
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

/** A button for each provider. */
export function ProviderButtons({ title, button }: { title: string; button: (key: string) => ButtonProps }) {
  const { data } = useQuery(choicesQuery)
  const list = data?.list ?? []
  if (list.length === 0) return null
  return (
    <>
      <p className="login-or centered small quiet">{title}</p>
      <div className="column gap-12">
        {list.map(({ key, name, nameEn }) => (
          <Button key={key} block size="large" icon={<BankOutlined />} {...button(key)}>
            {t('通过 {name} 登录', { name: (readLanguage() === 'en' && nameEn) || name })}
          </Button>
        ))}
      </div>
    </>
  )
}

/** An address with ?signOn= begins at once: portals of companies link to it, and so does who signs in for another page. */
export function SignOnChoices() {
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
  const button = (key: string): ButtonProps => ({
    loading: leaving === key,
    disabled: leaving !== '',
    onClick: () => void leave(key),
  })
  return <ProviderButtons title={t('或')} button={button} />
}
