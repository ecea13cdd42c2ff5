import { expect, test } from 'vitest'
import { createUploadUrl, uploadFile, uploadScenes } from './files.ts'

const place = { business: 'productManage', scene: 'productImg', filePath: 'pump.png' }

test('spec 7: upload-file is a form of a file and fields, upload-url/create a plain call', () => {
  expect(uploadFile.path).toBe('/api/v1/system/common/upload-file')
  expect(uploadFile.multipart?.maxBytes).toBe(uploadScenes['productManage/ota'].maxBytes)
  expect(createUploadUrl.path).toBe('/api/v1/system/common/upload-url/create')
  expect(createUploadUrl.multipart).toBeUndefined()
})

test('the fields of a form are texts, also the flag', () => {
  expect(uploadFile.body.parse({ ...place, rename: 'true' }).rename).toBe(true)
  expect(uploadFile.body.parse({ ...place, rename: 'false' }).rename).toBe(false)
  expect(uploadFile.body.safeParse({ ...place, rename: 'perhaps' }).success).toBe(false)
})

test.each(['/etc/x.png', '../x.png', 'a/../x.png', 'a\\b.png', 'a?b.png', 'a*.png', '', 'x'.repeat(257)])(
  '%j is no path of an upload',
  (filePath) => {
    expect(uploadFile.body.safeParse({ ...place, filePath }).success).toBe(false)
    expect(createUploadUrl.body.safeParse({ ...place, filePath }).success).toBe(false)
  },
)
