export { csvHead, csvLine, unguard } from './csv-text.ts'
export type { JobContext, JobKind } from './job-kinds.ts'
export type { JobsKit } from './jobs-kit.ts'
export { startJob } from './start-job.ts'
