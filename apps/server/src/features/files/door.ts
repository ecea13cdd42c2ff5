export type { FilesKit } from './files-kit.ts'
export { isOneTime, oneTimeFolder } from './one-time.ts'
export { fileLink, takeUpload } from './take-upload.ts'
