import { t } from '@ithings/contract/text.ts'
import { App } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { ExportContext, type TableExport } from '#kit/exporting.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { withTexts } from '#language/language.ts'

const JobModal = lazy(async () => ({ default: (await withTexts('later', import('./job-modal.tsx'))).JobModal }))

interface Following {
  jobID: string
  title: string
  open: boolean
}

/** Every list and chart below it can be had as a file: a job writes it, a dialog follows the job. */
export function ExportProvider({ children }: { children: ReactNode }) {
  const { message } = App.useApp()
  const [job, setJob] = useState<Following>()
  const start = async (table: TableExport) => {
    try {
      const { beginExport } = await withTexts('later', import('./begin-export.ts'))
      setJob({ jobID: await beginExport(table), title: t('导出「{title}」', { title: table.title }), open: true })
    } catch (error) {
      void message.error(t('导出失败：{reason}', { reason: describeError(error).reason }))
    }
  }
  return (
    <ExportContext value={(table) => void start(table)}>
      {children}
      {job && (
        <Suspense fallback={null}>
          <JobModal key={job.jobID} {...job} onClose={() => setJob({ ...job, open: false })} />
        </Suspense>
      )}
    </ExportContext>
  )
}
