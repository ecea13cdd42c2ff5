import { RedoOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import { useState } from 'react'
import { clockTime } from '#kit/time.ts'
import { SentChip } from './outcome.tsx'
import { keptSends, type SentRequest, sendKindLabels } from './sends.ts'
import { summaryOf } from './summary.ts'

const shownAtFirst = 4

/** What a request does, in a few words. */
export const requestTitle = ({ kind, target, data }: Pick<SentRequest, 'kind' | 'target' | 'data'>): string => {
  if (kind === 'read') return sendKindLabels.read
  const about = kind === 'action' ? target : summaryOf(data)
  return `${sendKindLabels[kind]} ${about}`
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
    <section className="above-16" aria-label="最近发送">
      <div className="send-head row between softer gap-8">
        <span>最近发送</span>
        {sent.length > shownAtFirst && (
          <Button type="link" size="small" onClick={() => setAll(!all)}>
            {all ? '收起' : `全部 ${sent.length} 条`}
          </Button>
        )}
      </div>
      <ul className="bare-list">
        {sent.slice(0, all ? keptSends : shownAtFirst).map((one) => (
          <li key={one.id} className="send-recent row line-above gap-8">
            <button
              type="button"
              className="plain-button row grow shrink start gap-12"
              title="填入表单"
              onClick={() => onPick(one)}
            >
              <span className="mono-payload">{clockTime(one.at)}</span>
              <span className="cut">{requestTitle(one)}</span>
            </button>
            <SentChip sent={one} />
            <Tooltip title="重发">
              <Button
                type="text"
                size="small"
                icon={<RedoOutlined />}
                aria-label={`重发 ${requestTitle(one)}`}
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
