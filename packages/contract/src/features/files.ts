/** Uploads (http-api.md 2.8): a file is temporary until a business object takes it. */
import * as z from 'zod'
import { BusinessType, endpoint } from '../endpoint.ts'
import { text } from '../wire.ts'

const group = '文件管理'
const base = '/api/v1/system/common'

/** business/scene pairs and what they accept. */
export const uploadScenes = {
  'productManage/productImg': {
    label: '产品图片',
    maxBytes: 2 * 1024 * 1024,
    types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  },
} as const
export type UploadScene = keyof typeof uploadScenes

/** http-api.md 2.8: not allowed in a path that keeps its name. */
const forbiddenCharacters = /[,?*|{}\\$、·`'"]/
const filePath = text(256, 1).refine(
  (path) => !forbiddenCharacters.test(path) && !path.split('/').includes('..') && !path.startsWith('/'),
  '包含特殊字符',
)
/** Form fields are texts. */
const flag = z.union([z.boolean(), z.stringbool()]).optional()

const place = z.object({ business: text(64, 1), scene: text(64, 1), filePath, rename: flag })

export const uploadFile = endpoint({
  path: `${base}/upload-file`,
  access: 'signed-in',
  name: '上传文件',
  group,
  businessType: BusinessType.add,
  multipart: { maxBytes: 2 * 1024 * 1024 },
  body: place,
  data: z.object({ filePath: z.string(), fileUri: z.string() }),
})

export const createUploadUrl = endpoint({
  path: `${base}/upload-url/create`,
  access: 'signed-in',
  name: '创建上传地址',
  group,
  businessType: BusinessType.add,
  body: place,
  data: z.object({ filePath: z.string(), uploadUri: z.string() }),
})
