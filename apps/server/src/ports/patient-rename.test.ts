import { expect, test, vi } from 'vitest'
import { patientRename } from './patient-rename.ts'

const refused = (code: string) => Object.assign(new Error(code), { code })

test.each(['EPERM', 'EACCES', 'EBUSY'])('on Windows %s passes', async (code) => {
  const rename = vi
    .fn()
    .mockRejectedValueOnce(refused(code))
    .mockRejectedValueOnce(refused(code))
    .mockResolvedValue(undefined)
  await patientRename('a', 'b', 'win32', rename)
  expect(rename).toHaveBeenCalledTimes(3)
})

test('a refusal for good comes through in the end', async () => {
  vi.useFakeTimers()
  try {
    const rename = vi.fn().mockRejectedValue(refused('EPERM'))
    const end = expect(patientRename('a', 'b', 'win32', rename)).rejects.toThrow('EPERM')
    await vi.runAllTimersAsync()
    await end
    expect(rename.mock.calls.length).toBeGreaterThan(3)
  } finally {
    vi.useRealTimers()
  }
})

test.each([
  ['linux', 'EPERM'],
  ['darwin', 'EACCES'],
  ['win32', 'ENOENT'],
  ['win32', 'EXDEV'],
] as const)('on %s %s is told at once', async (platform, code) => {
  const rename = vi.fn().mockRejectedValue(refused(code))
  await expect(patientRename('a', 'b', platform, rename)).rejects.toThrow(code)
  expect(rename).toHaveBeenCalledTimes(1)
})
