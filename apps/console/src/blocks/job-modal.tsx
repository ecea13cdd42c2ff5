import type { Job } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { PhoneModal } from '#kit/phone-modal.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { isUnfinished, JobProgress } from './job-progress.tsx'

interface JobModalProps extends Opened {
  title: string
  jobID: string
  onEnd?: (job: Job) => void
  children?: (job: Job) => ReactNode
}

/** Follows a job that the screen started; it may be left running. */
export function JobModal({ title, jobID, open, onClose, onEnd, children }: JobModalProps) {
  const [ended, setEnded] = useState(false)
  return (
    <PhoneModal
      title={title}
      open={open}
      width={560}
      className="form-modal"
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        ended && (
          <Button type="primary" onClick={onClose}>
            {t('关闭')}
          </Button>
        )
      }
    >
      <JobProgress
        jobID={jobID}
        onLeave={onClose}
        onEnd={(job) => {
          setEnded(!isUnfinished(job))
          onEnd?.(job)
        }}
      >
        {(job) => children?.(job)}
      </JobProgress>
    </PhoneModal>
  )
}
