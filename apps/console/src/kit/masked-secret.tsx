import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Tooltip } from 'antd'
import { useEffect, useState } from 'react'
import { CopyButton } from './copyable.tsx'
import { inSentence } from './in-sentence.ts'
import './parts.css'

const hideAfter = 30_000

interface MaskedSecretProps {
  secret: string | null | undefined
  label?: string
  /** Shown at first: somebody has just asked for it. */
  open?: boolean
}

/** decisions.md 2 "Secrets": screens mask and reveal secrets. A revealed one hides itself again after 30 s. */
export function MaskedSecret({ secret, label = t('密钥'), open = false }: MaskedSecretProps) {
  const [shown, setShown] = useState(open)
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(false), hideAfter)
    return () => clearTimeout(timer)
  }, [shown])
  if (!secret) return <span className="no-value">—</span>
  const what = { label: inSentence(label) }
  const action = shown ? t('隐藏{label}', what) : t('显示{label}', what)
  return (
    <span className="masked-secret fit inline-row gap-6">
      <span className="mono masked-secret-text anywhere">{shown ? secret : '••••••••'}</span>
      <Tooltip title={shown ? t('隐藏') : t('显示，30 秒后自动隐藏')}>
        <button
          type="button"
          className="plain-button icon-button inline-row quiet center"
          aria-label={action}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeInvisibleOutlined /> : <EyeOutlined />}
        </button>
      </Tooltip>
      <CopyButton text={secret} label={t('复制{label}', what)} />
    </span>
  )
}
