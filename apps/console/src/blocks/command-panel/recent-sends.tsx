import { RedoOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button, Tooltip } from 'antd'
import { useState } from 'react'
import { clockTime } from '#kit/time.ts'
import { SentChip } from './outcome.tsx'
import { keptSends, type SentRequest, sendKindLabels } from './sends.ts'
import { summaryOf } from './summary.ts'

const shownAtFirst = 4

/** What a request does, in a few words. */
export const requestTitle = ({ kind, target, data }: Pick<SentRequest, 'kind' | 'target' | 'data'>): string => {
  if (kind === 'read') return t(sendKindLabels.read)
  const about = kind === 'action' ? target : summaryOf(data)
  return `${t(sendKindLabels[kind])} ${about}`
}

interface RecentSendsProps {
  sent: readonly SentRequest[]
  busy: boolean
  onPick: (one: SentRequest) => void
  onRepeat: (one: SentRequest) => void
}

/** screens.md 18: the last fifty sends to this device; one click fills the form, another sends again. */
export function RecentSends({ sent, busy, onPick, onRepeat }: RecentSendsProps) {
  const [all, setAll] = useState(false)
  if (sent.length === 0) return null
  return (
    <section className="above-16" aria-label={t('最近发送')}>
      <div className="send-head row between softer gap-8">
        <span>{t('最近发送')}</span>
        {sent.length > shownAtFirst && (
          <Button type="link" size="small" onClick={() => setAll(!all)}>
            {all ? t('收起') : t('全部 {count} 条', { count: sent.length })}
          </Button>
        )}
      </div>
      <ul className="bare-list">
        {sent.slice(0, all ? keptSends : shownAtFirst).map((one) => (
          <li key={one.id} className="send-recent high-36 row line-above gap-8">
            <button
              type="button"
              className="plain-button row grow shrink start gap-12"
              title={t('填入表单')}
              onClick={() => onPick(one)}
            >
              <span className="mono-payload">{clockTime(one.at)}</span>
              <span className="cut">{requestTitle(one)}</span>
            </button>
            <SentChip sent={one} />
            <Tooltip title={t('重发')}>
              <Button
                type="text"
                size="small"
                icon={<RedoOutlined />}
                aria-label={t('重发 {title}', { title: requestTitle(one) })}
                disabled={busy}
                onClick={() => onRepeat(one)}
              />
            </Tooltip>
          </li>
        ))}
      </ul>
    </section>
  )
}
