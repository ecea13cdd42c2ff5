import type { HomeSummary } from '@ithings/contract/features/home.ts'
import { t } from '@ithings/contract/text.ts'
import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import { numberText } from '#kit/number-text.ts'
import { changeView, digitsOf, percent } from '../figures.ts'
import { stateColours, stateWords } from '../look.ts'
import { type DeviceState, devicesPath } from '../paths.ts'

interface TotalProps {
  label: string
  state?: DeviceState
  value: number
  share?: string
  change: number | undefined
  better?: 'more' | 'less'
}

function Total({ label, state, value, share, change, better }: TotalProps) {
  const { arrow, text, tone, words } = changeView(change, better)
  return (
    <Link className="home-total round-4 column shrink" to={devicesPath(state ? { state } : {})}>
      <span className="home-total-head row nowrap">
        {state && <i className="home-dot" style={{ background: stateColours[state] }} aria-hidden="true" />}
        {label}
        {share && (
          <>
            {' '}
            <span className="to-end quiet small">{share}</span>
          </>
        )}
      </span>{' '}
      <strong className="bold">{numberText(value)}</strong>{' '}
      <span className="home-total-change quiet small">
        {t('较昨日')}{' '}
        <b className={`bold home-change-${tone}`}>
          {arrow} {text}
        </b>
        <span className="visually-hidden">{t('，{words}', { words })}</span>
      </span>
    </Link>
  )
}

const better: Record<DeviceState, 'more' | 'less' | undefined> = {
  online: 'more',
  offline: 'less',
  inactive: undefined,
}
const states: readonly DeviceState[] = ['online', 'offline', 'inactive']

export function Totals({ totals, change }: Pick<HomeSummary, 'totals' | 'change'>) {
  return (
    <nav
      className="home-totals grow grid"
      aria-label={t('设备总数')}
      style={{ '--home-digits': digitsOf([totals.total]) } as CSSProperties}
    >
      <Total label={t('设备总数')} value={totals.total} change={change?.total} />
      {states.map((state) => (
        <Total
          key={state}
          label={t(stateWords[state])}
          state={state}
          value={totals[state]}
          share={percent(totals[state], totals.total)}
          change={change?.[state]}
          {...(better[state] && { better: better[state] })}
        />
      ))}
    </nav>
  )
}
