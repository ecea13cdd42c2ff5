export type { FilesDeps } from './files-deps.ts'
export { olderThan } from './older-than.ts'
export { isOneTime, oneTimeFolder } from './one-time.ts'
export { copyUpload, dropUpload, fileLink, sizeOfUpload, takeUpload } from './take-upload.ts'
