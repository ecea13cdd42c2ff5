import { expect, test } from 'vitest'
import { stopSignals } from './stop-signals.ts'

test('a terminal that closes ends the server on Windows, but not one under nohup', () => {
  expect(stopSignals('linux')).toEqual(['SIGINT', 'SIGTERM'])
  expect(stopSignals('darwin')).toEqual(['SIGINT', 'SIGTERM'])
  expect(stopSignals('win32')).toEqual(['SIGINT', 'SIGBREAK', 'SIGHUP'])
})
