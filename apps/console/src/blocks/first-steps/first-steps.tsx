import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { StepsCard } from './steps-card.tsx'
import { useFirstSteps } from './use-first-steps.ts'

const JobModal = lazy(async () => ({ default: (await import('../job-modal.tsx')).JobModal }))

/** The card of an empty platform: five steps that tick themselves off by what really happens. Nothing once it is done. */
export function FirstSteps({ onNewProduct }: { onNewProduct?: () => void }) {
  const { facts, putAway } = useFirstSteps()
  const client = useQueryClient()
  const [followed, setFollowed] = useState('')
  return (
    <>
      {facts && <StepsCard facts={facts} onPutAway={putAway} onNewProduct={onNewProduct} onLoading={setFollowed} />}
      {/* The card is gone once the demo fleet comes; its progress is not. */}
      {followed !== '' && (
        <Suspense>
          <JobModal
            title="加载演示数据"
            jobID={followed}
            open
            onClose={() => setFollowed('')}
            // Nothing of what the screens know is true any more.
            onEnd={() => void client.invalidateQueries()}
          />
        </Suspense>
      )}
    </>
  )
}
