import * as contract from '@ithings/contract/features/files.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { onUpload } from '#http/upload-route.ts'
import type { FilesDeps } from './files-deps.ts'
import { createUploadUrl, formLimit, uploadFile } from './upload.ts'

export const filesRoutes = (deps: FilesDeps): MountedEndpoint[] => [
  onUpload(contract.uploadFile, (input, file, { user }) => uploadFile(deps, input, file, user), {
    formLimit: (user, fields) => formLimit(deps, user, fields),
  }),
  on(contract.createUploadUrl, (input, { user }) => createUploadUrl(deps, input, user)),
]
