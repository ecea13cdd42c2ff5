import { expect, test } from 'vitest'
import { makeProgress } from './progress.ts'

test('a line comes every five seconds, whatever passes, with all that passed so far', async () => {
  const lines: string[] = []
  let now = 0
  const progress = makeProgress(
    (line) => void lines.push(line),
    () => now,
  )
  const bite = Buffer.alloc(1024 * 1024)
  const content = (async function* () {
    for (; now <= 11_000; now += 1_000) yield bite
  })()
  const passed: Buffer[] = []
  for await (const chunk of progress.pass({ kind: 'file', path: 'ota/a.bin' }, content)) passed.push(chunk)
  expect(passed).toHaveLength(12)
  expect(lines).toEqual(['  6.0 MB, now file ota/a.bin', '  11.0 MB, now file ota/a.bin'])
})
