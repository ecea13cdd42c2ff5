import * as contract from '@ithings/contract/features/files.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { onUpload } from '#http/upload-route.ts'
import type { FilesKit } from './files-kit.ts'
import { createUploadUrl, formLimit, uploadFile } from './upload.ts'

export const filesRoutes = (kit: FilesKit): MountedEndpoint[] => [
  onUpload(contract.uploadFile, (input, file, { user }) => uploadFile(kit, input, file, user), {
    formLimit: (user, fields) => formLimit(kit, user, fields),
  }),
  on(contract.createUploadUrl, (input, { user }) => createUploadUrl(kit, input, user)),
]
