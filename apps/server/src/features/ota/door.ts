export { otaKind } from './ota-kind.ts'
export { reportStep } from './report-step.ts'
export { makeReportVersion } from './report-version.ts'
export { watchTrials } from './trial-watch.ts'
