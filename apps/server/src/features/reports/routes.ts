import * as contract from '@ithings/contract/features/reports.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { listReports, readReport } from './list-reports.ts'
import { listReportRuns } from './list-runs.ts'
import { createReport, deleteReport, updateReport } from './manage-reports.ts'
import { previewReport } from './preview-report.ts'
import type { ReportsDeps } from './reports-deps.ts'
import { runReport } from './start-run.ts'

export const reportsRoutes = (deps: ReportsDeps): MountedEndpoint[] => [
  on(contract.listReports, (input) => listReports(deps.db, input)),
  on(contract.readReport, (input) => readReport(deps.db, input)),
  on(contract.createReport, (input, { user }) => createReport(deps, input, user)),
  on(contract.updateReport, (input) => updateReport(deps, input)),
  on(contract.deleteReport, (input) => deleteReport(deps, input)),
  on(contract.previewReport, (input) => previewReport(deps, input)),
  on(contract.runReport, (input, { user }) => runReport(deps, input, user)),
  on(contract.listReportRuns, (input) => listReportRuns(deps, input)),
]
