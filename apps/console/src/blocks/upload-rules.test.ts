import { uploadFile } from '@ithings/contract/features/files.ts'
import { expect, test } from 'vitest'
import { placeOf, refuseUpload, uploadHint } from './upload-rules.ts'

const scene = 'productManage/productImg'

test('a picture of up to 2 MB is taken', () => {
  expect(refuseUpload(scene, { name: 'a.png', type: 'image/png', size: 2 * 1024 * 1024 })).toBeUndefined()
})

test('a larger one is refused with the limit and its size', () => {
  expect(refuseUpload(scene, { name: 'a.png', type: 'image/png', size: 3 * 1024 * 1024 })).toBe(
    '产品图片不能超过 2 MB，「a.png」有 3.0 MB',
  )
})

test('another type is refused by name', () => {
  expect(refuseUpload(scene, { name: 'a.svg', type: 'image/svg+xml', size: 1 })).toContain('「a.svg」是 image/svg+xml')
  expect(refuseUpload(scene, { name: 'a', type: '', size: 1 })).toContain('未知类型')
})

test('the hint names types and size', () => {
  expect(uploadHint(scene)).toBe('PNG、JPEG、WEBP、GIF，不超过 2 MB')
})

test('http-api.md 2.8: whatever the file is called, its place is one the server takes', () => {
  for (const name of ["泵站 'A', 2024?.png", '../x.jpg', 'no ending']) {
    expect(uploadFile.body.safeParse(placeOf(scene, name)).success).toBe(true)
  }
  expect(placeOf(scene, 'x.JPG').filePath).toBe('upload.JPG')
})
