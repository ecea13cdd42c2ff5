import type { TableFormat } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { App } from 'antd'
import { type ReactNode, useState } from 'react'
import { describeError } from '#kit/states/describe-error.ts'
import { JobModal } from './job-modal.tsx'

/** What a list shows as a file, made by a job that a dialog follows. */
export function useExportJob(
  title: string,
  begin: (format: TableFormat) => Promise<{ jobID: string }>,
): { start: (format: TableFormat) => Promise<void>; modal: ReactNode } {
  const { message } = App.useApp()
  const [job, setJob] = useState<{ jobID: string; open: boolean }>()
  const start = async (format: TableFormat) => {
    try {
      setJob({ jobID: (await begin(format)).jobID, open: true })
    } catch (error) {
      void message.error(t('导出失败：{reason}', { reason: describeError(error).reason }))
    }
  }
  const close = () => setJob((last) => last && { ...last, open: false })
  const modal = job && <JobModal key={job.jobID} title={title} jobID={job.jobID} open={job.open} onClose={close} />
  return { start, modal }
}
