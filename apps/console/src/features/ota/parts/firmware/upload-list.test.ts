import { firmwareLimits } from '@ithings/contract/features/ota/firmware.ts'
import { expect, test } from 'vitest'
import { admit, changeRow, differing, newRow, packageFiles, uploadProblem } from './upload-list.ts'

const megabyte = 1024 * 1024
const row = newRow('1', { name: 'main.bin', size: 10 * megabyte })
const hashes = { md5: 'aa', sha256: 'bb' }
const sent = { ...row, state: 'sent', filePath: 'tmp/1', hashes } as const

test('a file is taken once, never empty, and only while there is room', () => {
  const { taken, refused } = admit(
    [row],
    [
      { name: 'mcu.bin', size: 5 },
      { name: 'main.bin', size: 5 },
      { name: 'nothing.bin', size: 0 },
      { name: 'huge.bin', size: firmwareLimits.bytes },
    ],
  )
  expect(taken.map(({ name }) => name)).toEqual(['mcu.bin'])
  expect(refused).toEqual([
    '「main.bin」已在列表中',
    '「nothing.bin」是空文件',
    '「huge.bin」没有加入：文件合计不能超过 1000 MB，加上它是 1010 MB',
  ])
})

test('screens.md 21: a package has at most 20 files', () => {
  const many = Array.from({ length: 25 }, (_, i) => ({ name: `${i}.bin`, size: 1 }))
  const { taken, refused } = admit([], many)
  expect(taken).toHaveLength(20)
  expect(refused).toHaveLength(5)
})

test('the form waits for every file: failed and paused ones first, then those under way', () => {
  expect(uploadProblem([])).toBe('请选择升级包文件')
  expect(uploadProblem([row])).toBe('文件还在上传或校验，请等它们完成')
  expect(uploadProblem(changeRow([row], '1', { state: 'paused' }))).toMatch(/已暂停/)
  expect(uploadProblem(changeRow([row], '1', { state: 'failed' }))).toMatch(/上传失败/)
  expect(uploadProblem([{ ...row, state: 'sent', filePath: 'tmp/1' }])).toBe('文件还在上传或校验，请等它们完成')
  expect(uploadProblem([sent])).toBeUndefined()
})

test('a browser that cannot hash still creates the package: the platform hashes anyway', () => {
  const { hashes: _, ...bare } = sent
  const unhashed = { ...bare, hashProblem: 'WebAssembly 不可用' }
  expect(uploadProblem([unhashed])).toBeUndefined()
  expect(packageFiles([unhashed])).toEqual([{ filePath: 'tmp/1', name: 'main.bin' }])
})

test('what is sent carries the local hashes, and the signature only when one was given', () => {
  expect(packageFiles([row, sent])).toEqual([{ filePath: 'tmp/1', name: 'main.bin', ...hashes }])
  expect(packageFiles([{ ...sent, signature: ' c2ln ' }])[0]).toMatchObject({ signature: 'c2ln' })
})

test('a stored file with another hash is named', () => {
  const files = packageFiles([sent])
  expect(differing(files, [{ name: 'main.bin', md5: 'AA', sha256: 'BB' }])).toEqual([])
  expect(differing(files, [{ name: 'main.bin', md5: 'aa', sha256: 'cc' }])).toEqual(['main.bin'])
  expect(differing(files, [])).toEqual(['main.bin'])
})
