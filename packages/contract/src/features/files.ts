/** Uploads (http-api.md 2.8): a file is temporary until a business object takes it. */
import * as z from 'zod'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { text } from '../wire.ts'
import { createFirmware, firmwareLimits } from './ota/firmware.ts'

const { add } = endpointsOf('文件管理')
export interface UploadRule {
  readonly label: string
  readonly maxBytes: number
  /** By content; none: everything is accepted. */
  readonly types: readonly string[]
  /** Who may not call it may not upload for it either. */
  readonly usedBy?: Endpoint
}

/** business/scene pairs and what they accept. */
export const uploadScenes = {
  'productManage/productImg': {
    label: '产品图片',
    maxBytes: 2 * 1024 * 1024,
    types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  },
  // spec 3: firmware file area ota, permission key productManage.
  'productManage/ota': { label: '升级包文件', maxBytes: firmwareLimits.bytes, types: [], usedBy: createFirmware },
} as const satisfies Record<string, UploadRule>
export type UploadScene = keyof typeof uploadScenes

/**
 * Large files by the tus protocol (tus.io, 1.0.0): goes on after a cut. Upload-Metadata carries `filename`, `business`
 * and `scene`; the answers that tell of the whole file carry its path.
 */
export const resumableUpload = {
  path: '/api/v1/system/common/upload-resumable',
  filePathHeader: 'Upload-File-Path',
  /** What one person may have lying there that no package took yet. */
  uploads: 40,
  bytes: 4 * firmwareLimits.bytes,
  hours: 24,
  /** A piece that fails is the most that is sent twice. */
  pieceBytes: 8 * 1024 * 1024,
  /** ms; a short break of the network is bridged without a word. */
  retryPauses: [500, 1_000, 3_000, 5_000, 10_000],
} as const

/** http-api.md 2.8: not allowed in a path that keeps its name. */
const forbiddenCharacters = /[,?*|{}\\$、·`'"]/
const filePath = text(256, 1).refine(
  (path) => !forbiddenCharacters.test(path) && !path.split('/').includes('..') && !path.startsWith('/'),
  '包含特殊字符',
)
/** Form fields are texts. */
const flag = z.union([z.boolean(), z.stringbool()]).optional()

const place = z.object({ business: text(64, 1), scene: text(64, 1), filePath, rename: flag })

export const uploadFile = add('/api/v1/system/common/upload-file', '上传文件', {
  access: 'signed-in',
  // By scene; this is the most of all of them.
  multipart: { maxBytes: firmwareLimits.bytes },
  body: place,
  data: z.object({ filePath: z.string(), fileUri: z.string() }),
})

export const createUploadUrl = add('/api/v1/system/common/upload-url/create', '创建上传地址', {
  access: 'signed-in',
  body: place,
  data: z.object({ filePath: z.string(), uploadUri: z.string() }),
})
