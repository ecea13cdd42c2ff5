import { CheckCircleFilled, CloseOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Link } from 'react-router'
import { RichText } from '#kit/rich-text.tsx'
import './first-steps.css'
import { paths } from '#kit/paths.ts'
import { nextStep, stepsOf } from './steps.ts'
import { useFirstSteps } from './use-first-steps.ts'

/** The first steps on all screens without their card, in one line: what comes next, and the way back to the card. */
export function FirstStepsBar() {
  const { facts, putAway } = useFirstSteps()
  if (!facts) return null
  const steps = stepsOf(facts)
  const next = nextStep(steps)
  const done = steps.filter((step) => step.done).length
  return (
    <aside className="first-bar gap-4-12 round-8 tint-fill row wrap below-12" aria-label={t('接入第一台设备')}>
      <span className="first-bar-words" role="status">
        {next ? (
          <RichText
            text={t('接入第一台设备 {done} / {total}，下一步：<0/>', { done, total: steps.length })}
            parts={[<b key="next">{next.title}</b>]}
          />
        ) : (
          <>
            <CheckCircleFilled className="tone-success" /> {t('第一台设备已经接入，第一个值已经收到')}
          </>
        )}
      </span>
      {next && (
        <Link to={next.key === 'connected' || next.key === 'value' ? paths.products : (next.to ?? paths.products)}>
          {next.key === 'value' ? t('查看步骤') : t('去{title}', { title: next.title })}
        </Link>
      )}
      <button
        type="button"
        className="plain-button icon-button inline-row quiet center"
        aria-label={t('收起入门步骤')}
        onClick={putAway}
      >
        <CloseOutlined />
      </button>
    </aside>
  )
}
