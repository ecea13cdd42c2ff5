import * as contract from '@ithings/contract/features/files.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { onUpload } from '#http/upload-route.ts'
import type { FilesKit } from './files-kit.ts'
import { createUploadUrl, uploadFile } from './upload.ts'

export const filesRoutes = (kit: FilesKit): MountedEndpoint[] => [
  onUpload(contract.uploadFile, (input, file) => uploadFile(kit, input, file)),
  on(contract.createUploadUrl, (input) => createUploadUrl(kit, input)),
]
