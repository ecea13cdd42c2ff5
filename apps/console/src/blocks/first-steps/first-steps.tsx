import { CheckCircleFilled, CloseOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useLayoutEffect, useState } from 'react'
import { Link } from 'react-router'
import './first-steps.css'
import { nextStep, productListPath, stepsOf } from './steps.ts'
import { useFirstSteps } from './use-first-steps.ts'

// Platforms that are at work never need it.
const StepsCard = lazy(async () => ({ default: (await import('./steps-card.tsx')).StepsCard }))
const JobModal = lazy(async () => ({ default: (await import('../job-modal.tsx')).JobModal }))

const room = <div className="sheet first-steps first-room" />

/**
 * The card of an empty platform: five steps that tick themselves off by what really happens. Nothing once it is done.
 * @param onKnown called when it is there, or is known not to come
 */
export function FirstSteps({ onNewProduct, onKnown }: { onNewProduct?: () => void; onKnown?: () => void }) {
  const { facts, known, waiting, putAway } = useFirstSteps()
  useLayoutEffect(() => {
    if (known) onKnown?.()
  }, [known, onKnown])
  const client = useQueryClient()
  const [followed, setFollowed] = useState('')
  return (
    <Suspense fallback={room}>
      {waiting && room}
      {facts && <StepsCard facts={facts} onPutAway={putAway} onNewProduct={onNewProduct} onLoading={setFollowed} />}
      {/* The card is gone once the demo fleet comes; its progress is not. */}
      {followed !== '' && (
        <JobModal
          title="加载演示数据"
          jobID={followed}
          open
          onClose={() => setFollowed('')}
          // Nothing of what the screens know is true any more.
          onEnd={() => void client.invalidateQueries()}
        />
      )}
    </Suspense>
  )
}

/** The same on all other screens, in one line: what comes next, and the way back to the card. */
export function FirstStepsBar() {
  const { facts, waiting, putAway } = useFirstSteps()
  if (waiting) return <div className="first-bar-room" />
  if (!facts) return null
  const steps = stepsOf(facts)
  const next = nextStep(steps)
  const done = steps.filter((step) => step.done).length
  return (
    <aside className="first-bar" aria-label="接入第一台设备">
      <span className="first-bar-words" role="status">
        {next ? (
          <>
            接入第一台设备 {done} / {steps.length}，下一步：
            <b>{next.title}</b>
          </>
        ) : (
          <>
            <CheckCircleFilled className="first-mark-done" /> 第一台设备已经接入，第一个值已经收到
          </>
        )}
      </span>
      {next && (
        <Link to={next.key === 'connected' || next.key === 'value' ? productListPath : (next.to ?? productListPath)}>
          {next.key === 'value' ? '查看步骤' : `去${next.title}`}
        </Link>
      )}
      <button type="button" className="plain-button icon-button" aria-label="收起入门步骤" onClick={putAway}>
        <CloseOutlined />
      </button>
    </aside>
  )
}
