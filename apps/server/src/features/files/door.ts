export type { FilesKit } from './files-kit.ts'
export { isOneTime, oneTimeFolder } from './one-time.ts'
export { copyUpload, dropUpload, fileLink, sizeOfUpload, takeUpload } from './take-upload.ts'
