export type { FilesKit } from './files-kit.ts'
export { fileLink, takeUpload } from './take-upload.ts'
