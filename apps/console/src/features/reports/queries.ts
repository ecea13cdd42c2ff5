import type { BodyInput } from '@ithings/contract/endpoint.ts'
import {
  createReport,
  deleteReport,
  listReportRuns,
  listReports,
  previewReport,
  readReport,
  runReport,
  updateReport,
} from '@ithings/contract/features/reports.ts'
import { useMutation } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { useChange } from '#api/use-change.ts'

export const reportsQuery = (body: BodyInput<typeof listReports>) => endpointQuery(listReports, body)
export const reportRunsQuery = (body: BodyInput<typeof listReportRuns>) => endpointQuery(listReportRuns, body)
/** As it is now: what is edited must not be old. */
export const readForEdit = (id: number) => call(readReport, { id })

const stale = [listReports, readReport, listReportRuns]
export const useCreateReport = () => useChange(createReport, stale)
export const useUpdateReport = () => useChange(updateReport, stale, true)
export const useDeleteReport = () => useChange(deleteReport, stale, true)
export const useRunReport = () => useChange(runReport, stale)
export const usePreview = () =>
  useMutation({ mutationFn: (body: BodyInput<typeof previewReport>) => call(previewReport, body, { quiet: true }) })
